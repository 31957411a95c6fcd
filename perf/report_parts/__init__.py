"""What perf/report is made of: `measurements` reads, `targets` judges, `tables` and `plots` show, `compare` compares."""
