"""The command line of perf/report."""

import sys

from report_parts.command_line import main

sys.exit(main(sys.argv[1:]))
