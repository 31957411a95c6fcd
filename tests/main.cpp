#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "support/seed.hpp"

#include <doctest/doctest.h>

#include <cstdio>

namespace {

// A run can be repeated only if its seed is known, also when it ends in a crash that prints nothing else. A listener,
// not main, says it: it stays silent while CMake lists the test cases.
struct seed_printer : doctest::IReporter {
  explicit seed_printer(doctest::ContextOptions const&) {}

  void test_run_start() override {
    std::printf("PREDUCE_TEST_SEED=%llu\n", static_cast<unsigned long long>(sample::seed()));
    std::fflush(stdout);
  }

  void report_query(doctest::QueryData const&) override {}
  void test_run_end(doctest::TestRunStats const&) override {}
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};

REGISTER_LISTENER("seed", 1, seed_printer);

}  // namespace
