// A listener that leaves one line a test case ("passed", "failed" or "skipped", suite, name, place) in the file that
// PREDUCE_CASE_LOG names: scripts/test.sh counts cases over several programs and runs.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

class case_log final : public doctest::IReporter {
 public:
  explicit case_log(doctest::ContextOptions const&) {
    if (char const* path = std::getenv("PREDUCE_CASE_LOG")) {
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      out_.open(path);
    }
  }

  void test_case_start(doctest::TestCaseData const& test) override { current_ = &test; }
  void test_case_end(doctest::CurrentTestCaseStats const& stats) override {
    write(stats.testCaseSuccess ? "passed" : "failed", *current_);
  }
  void test_case_skipped(doctest::TestCaseData const& test) override { write("skipped", test); }

  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}

 private:
  void write(char const* outcome, doctest::TestCaseData const& test) {
    if (!out_.is_open()) return;
    out_ << outcome << '\t' << test.m_test_suite << '\t' << test.m_name << '\t' << test.m_file.c_str() << ':'
         << test.m_line << std::endl;  // flushed: a crash must not take the earlier lines with it
  }

  std::ofstream out_;
  doctest::TestCaseData const* current_ = nullptr;
};

REGISTER_LISTENER("case_log", 1, case_log);

}  // namespace
