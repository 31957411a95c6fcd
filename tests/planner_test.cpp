// Plans are pure: made here for devices that are not at hand.

#include <preduce/explain.hpp>
#include <preduce/preduce.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

preduce::device_facts device(char const* name, int capability, int multiprocessors) {
  preduce::device_facts facts;
  std::snprintf(facts.name, sizeof(facts.name), "%s", name);
  facts.compute_capability = capability;
  facts.multiprocessors = multiprocessors;
  facts.threads_per_multiprocessor = capability == 89 || capability == 120 ? 1536 : 2048;
  facts.shared_bytes_per_multiprocessor = capability == 75 ? 65536 : capability == 89 ? 102400 : 167936;
  facts.cooperative_launch = true;
  return facts;
}

preduce::device_facts const devices[] = {device("H200", 90, 132), device("A100", 80, 108),
                                         device("RTX 4060 Laptop", 89, 24), device("made up", 75, 1)};

std::int64_t const sizes[] = {0,
                              1,
                              31,
                              4096,
                              32768,
                              32769,
                              65536,
                              1'000'000,
                              30'000'000,
                              std::int64_t{1} << 28,
                              (std::int64_t{1} << 28) + 1,
                              std::int64_t{1} << 34,
                              std::int64_t{1} << 46};

void check_sound(preduce::plan const& made, preduce::device_facts const& on) {
  INFO(preduce::explain(made));
  CHECK(made.blocks >= 1);
  CHECK(made.blocks <= made.order.units);
  CHECK(made.threads % 32 == 0);
  CHECK(made.threads <= 1024);
  CHECK(made.order.units <= 65536);
  CHECK(made.shared_bytes <= static_cast<std::size_t>(on.shared_bytes_per_block));
  CHECK(made.workspace.partials <= 65536 * static_cast<std::size_t>(made.element.value_bytes));
  CHECK(made.workspace.announced <= preduce::most_announced_bytes);
  CHECK((made.workspace.announced > 0) ==
        (made.algorithm == preduce::grid_algorithm::look_back && made.order.units > 1));
  if (made.workspace.announced > 0) {
    auto const words = made.order.units * preduce::announcing_words(made.element.value_bytes);
    CHECK(words * std::int64_t{8} <= static_cast<std::int64_t>(made.workspace.announced));
    CHECK(words <= made.threads * preduce::watched_words);
    CHECK(made.order.partial_rows == 1);
  }
  CHECK((made.kernels == 1) == (made.finish_threads == 0));
  CHECK((made.order.units == 1) == made.workspace.none());
  // The order is n's alone.
  CHECK(made.shape == preduce::shape_of(made.n));
  CHECK(made.order.rows == made.shape.rows);
}

/// What automatic is asked when a sum of 2^20 floats is captured.
preduce::plan_request captured_sum(preduce::device_facts const& on) {
  preduce::plan_request request;
  request.about = {"automatic", 1 << 20, "float"};
  request.element = {
      .element_bytes = 4, .value_bytes = 4, .chunk_lanes = 128, .vector = 4, .in_memory = true, .slot_bytes = 512};
  request.device = on;
  request.algorithm = preduce::grid_algorithm::automatic;
  request.capturing = true;
  return request;
}

/// The same of aligned elements of 2 bytes.
preduce::plan_request captured_halves(preduce::device_facts const& on) {
  auto request = captured_sum(on);
  request.element = {.element_bytes = 2,
                     .value_bytes = 4,
                     .chunk_lanes = 256,
                     .vector = 8,
                     .in_memory = true,
                     .one_tile_rows = 8,
                     .slot_bytes = 512};
  return request;
}

struct alignas(8) kilobyte {
  unsigned char bytes[1024];
};
struct three_doubles {
  double x, y, z;
};

}  // namespace

TEST_CASE("plans are sound for every device, size and width") {
  for (auto const& on : devices) {
    for (auto const n : sizes) {
      check_sound(preduce::two_pass.plan_for<float>(n, on), on);
      check_sound(preduce::two_pass.plan_for<double>(n, on), on);
      check_sound(preduce::last_block.plan_for<signed char>(n, on), on);
      check_sound(preduce::last_block.plan_for<kilobyte>(n, on), on);
      check_sound(preduce::look_back.plan_for<float>(n, on), on);
      check_sound(preduce::look_back.block_size(32).plan_for<double>(n, on), on);
      check_sound(preduce::look_back.plan_for<kilobyte>(n, on), on);
      check_sound(preduce::grid_sync.plan_for<float>(n, on), on);
      check_sound(preduce::grid_sync.plan_for<kilobyte>(n, on), on);
      check_sound(preduce::automatic.plan_for<float>(n, on), on);
    }
  }
}

TEST_CASE("a plan for a few rounds has full rounds of blocks, for many a block for each unit") {
  auto const& on = devices[0];
  auto const few = preduce::two_pass.plan_for<float>(std::int64_t{1} << 26, on);
  CHECK(few.blocks < few.order.units);
  CHECK(few.order.units % few.blocks == 0);
  CHECK(few.threads == 1024);
  for (auto const n : {std::int64_t{1} << 28, 300'000'000L, std::int64_t{1} << 30, std::int64_t{1} << 38}) {
    for (auto const& made : {preduce::two_pass.plan_for<float>(n, on), preduce::last_block.plan_for<double>(n, on),
                             preduce::automatic.plan_for<std::int64_t>(n, on)})
      CHECK(made.blocks == made.order.units);
    CHECK(preduce::two_pass.blocks(100).plan_for<float>(n, on).blocks <= 100);
    // All blocks of these run at a time.
    auto const together = preduce::grid_sync.plan_for<float>(n, on);
    CHECK(together.blocks <= on.multiprocessors * 2);
    CHECK(std::string(together.why_units).find("many times as many as multiprocessors") == std::string::npos);
    // What the plan says of units is so: tiles are not cut where there are many.
    auto const made = preduce::two_pass.plan_for<float>(n, on);
    auto const chunks = (preduce::order_lanes >> made.order.group_bits) / made.element.chunk_lanes;
    CHECK(chunks == (n == std::int64_t{1} << 28 ? 16 : 32));
    CHECK(made.threads == 32 * chunks);
    // Units enough, but nothing to gain, or never measured.
    CHECK(preduce::two_pass.plan_for<std::int8_t>(n, on).blocks <= on.multiprocessors * 4);
    CHECK(preduce::two_pass.plan_for<three_doubles>(n, on).blocks <= on.multiprocessors * 2);
    CHECK(preduce::two_pass.plan_for<kilobyte>(n, on).blocks <= on.multiprocessors * 4);
    // As many rounds of bytes as the others have, on a smaller device.
    auto const& small = devices[2];
    CHECK(preduce::two_pass.plan_for<std::int8_t>(n, small).blocks <= small.multiprocessors * 4);
  }
}

TEST_CASE("a block for each unit begins, and halves end, at the rounds that tuning names") {
  auto const& on = devices[0];
  // A round is 32 chunks a multiprocessor: a tile of float32, half a tile of float64, two tiles of float16.
  auto const units_are_blocks = [](preduce::plan const& made) { return made.blocks == made.order.units; };
  std::int64_t const round =
      std::int64_t{on.multiprocessors} * preduce::order_lanes * 64;  // of float32, at these sizes
  CHECK_FALSE(units_are_blocks(preduce::two_pass.plan_for<float>(round * 6 - preduce::order_lanes * 64, on)));
  CHECK(units_are_blocks(preduce::two_pass.plan_for<float>(round * 6, on)));
  CHECK_FALSE(units_are_blocks(preduce::two_pass.plan_for<double>(round * 3 - preduce::order_lanes * 64, on)));
  CHECK(units_are_blocks(preduce::two_pass.plan_for<double>(round * 3, on)));
  CHECK(preduce::two_pass.plan_for<double>(round * 6 - preduce::order_lanes * 64, on).threads == 512);
  CHECK(preduce::two_pass.plan_for<double>(round * 6, on).threads == 1024);
  auto request = captured_halves(on);
  request.about.n = round * 6 - preduce::order_lanes * 64;
  CHECK_FALSE(units_are_blocks(preduce::plan_grid(request)));
  request.about.n = round * 6;
  CHECK(units_are_blocks(preduce::plan_grid(request)));
}

TEST_CASE("no more words are announced than a block watches") {
  for (int const value_bytes : {4, 8, 16}) {
    auto request = captured_sum(devices[0]);
    request.algorithm = preduce::grid_algorithm::look_back;
    request.element.value_bytes = value_bytes;
    request.element.chunk_lanes = value_bytes == 4 ? 128 : value_bytes == 8 ? 64 : 32;
    bool watched = false, not_watched = false;
    for (std::int64_t n = 65536; n <= std::int64_t{1} << 29; n += n / 16) {
      request.about.n = n;
      for (int const lanes : {0, 32}) {
        request.options.unit_lanes = lanes;
        auto const made = preduce::plan_grid(request);
        bool const looks_back = made.algorithm == preduce::grid_algorithm::look_back;
        auto const words = std::int64_t{made.order.units} * preduce::announcing_words(value_bytes);
        CHECK(made.workspace.announced <= preduce::most_announced_bytes);
        if (looks_back) CHECK(words <= std::int64_t{preduce::watched_words} * made.threads);
        (looks_back ? watched : not_watched) = true;
      }
    }
    CHECK(watched);
    CHECK(not_watched);
  }
}

TEST_CASE("elements of 2 bytes have a block for each unit of 8 chunks, if they are aligned and tiles can be cut") {
  auto request = captured_halves(devices[0]);
  request.about.n = std::int64_t{1} << 28;
  auto const aligned = preduce::plan_grid(request);
  CHECK(aligned.threads == 256);
  CHECK(aligned.order.units == 2048);
  CHECK(aligned.blocks == 2048);
  request.element.one_tile_rows = 0;
  CHECK(preduce::plan_grid(request).blocks < preduce::plan_grid(request).order.units);
  request.element.one_tile_rows = 8;
  request.about.n += 1;
  CHECK(preduce::plan_grid(request).blocks < preduce::plan_grid(request).order.units);
}

TEST_CASE("functors and values of more than 8 bytes have a block for each whole unit") {
  auto request = captured_sum(devices[0]);
  request.about.n = std::int64_t{1} << 28;
  for (int const value_bytes : {4, 16}) {
    request.element.value_bytes = value_bytes;
    request.element.in_memory = value_bytes == 16;
    auto const made = preduce::plan_grid(request);
    CHECK(made.threads == 1024);
    CHECK(made.blocks == made.order.units);
  }
}

TEST_CASE("options are followed, or clamped where the order or the work ends") {
  auto const& on = devices[0];
  auto const n = std::int64_t{1} << 20;
  CHECK(preduce::two_pass.block_size(96).plan_for<float>(n, on).threads == 96);
  CHECK(preduce::last_block.blocks(7).plan_for<float>(n, on).blocks <= 7);
  auto const many = preduce::last_block.blocks(1'000'000).plan_for<float>(n, on);
  CHECK(many.blocks == many.order.units);
  CHECK(preduce::two_pass.unit_lanes(2048).plan_for<float>(n, on).order.group_bits == 1);
  CHECK(preduce::two_pass.unit_lanes(32).plan_for<float>(n, on).order.group_bits == 5);  // no less than a warp's chunk
}

TEST_CASE("promise 11: a block size that no launch has is refused by the plan already") {
  for (int const threads : {-32, 0, 1, 31, 33, 1000, 1056, 2048}) {
    try {
      (void)preduce::two_pass.block_size(threads).plan_for<float>(1000, devices[0]);
      FAIL("block size ", threads, " was accepted");
    } catch (preduce::error const& refused) {
      CHECK(refused.code() == preduce::error_code::invalid_argument);
    }
  }
}

TEST_CASE("overlap_previous is planned where the device can, and refused where the policy cannot") {
  CHECK(preduce::two_pass.overlap_previous().plan_for<float>(1 << 20, devices[0]).overlaps_previous);
  CHECK(preduce::last_block.overlap_previous().plan_for<float>(100, devices[0]).overlaps_previous);
  CHECK(preduce::look_back.overlap_previous().plan_for<float>(1 << 20, devices[0]).overlaps_previous);
  CHECK_FALSE(preduce::two_pass.plan_for<float>(1 << 20, devices[0]).overlaps_previous);
  CHECK_FALSE(preduce::two_pass.overlap_previous().plan_for<float>(1 << 20, devices[1]).overlaps_previous);
  CHECK(preduce::explain(preduce::two_pass.overlap_previous().plan_for<float>(1 << 20, devices[0]))
            .find("before the stream's previous kernel has ended") != std::string::npos);
  CHECK_THROWS_AS((void)preduce::grid_sync.overlap_previous().plan_for<float>(1 << 20, devices[0]), preduce::error);
}

TEST_CASE("explain says what was decided and why") {
  auto const text = preduce::explain(preduce::two_pass.plan_for<float>(1'000'000, devices[0]));
  for (auto const* const part :
       {"two_pass over n = 1000000 on H200 (sm_90, 132 multiprocessors)", "31 tile(s) of 8 row(s)",
        "the same bits on every machine", "4 a load", "a second kernel", "workspace"}) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text, " lacks ", part);
  }
  auto const host = preduce::explain(preduce::serial.plan_for<float>(100));
  CHECK(host.find("serial over n = 100") == 0);
}

TEST_CASE("promise 12: a cooperative grid fits the device, or is refused where there is no grid barrier") {
  for (auto const& on : devices) {
    for (int const threads : {32, 96, 1024}) {
      auto const made =
          preduce::grid_sync.block_size(threads).blocks(1'000'000).plan_for<float>(std::int64_t{1} << 28, on);
      INFO(preduce::explain(made));
      CHECK(made.blocks <= on.multiprocessors * std::min(1024 / threads, 16));
      auto const large =
          preduce::grid_sync.block_size(threads).blocks(1'000'000).plan_for<kilobyte>(std::int64_t{1} << 28, on);
      CHECK(large.blocks * static_cast<std::int64_t>(large.shared_bytes + 1024) <=
            on.multiprocessors * on.shared_bytes_per_multiprocessor);
    }
  }
  auto without = devices[0];
  without.cooperative_launch = false;
  try {
    (void)preduce::grid_sync.plan_for<float>(1 << 20, without);
    FAIL_CHECK("accepted");
  } catch (preduce::error const& e) {
    CHECK(e.code() == preduce::error_code::unsupported);
    CHECK(std::string(e.what()).find("cooperative") != std::string::npos);
  }
}

TEST_CASE("a single tile of vectors is folded by few warps, unless the caller asks for a block size") {
  auto const& h200 = devices[0];
  auto const small = preduce::two_pass.plan_for<float>(4096, h200);
  CHECK((small.one_tile_code && small.threads == 256 && small.kernels == 1));
  auto const more = preduce::two_pass.plan_for<double>(32768, h200);
  CHECK((more.one_tile_code && more.threads == 512 && more.kernels == 1));
  CHECK(preduce::two_pass.plan_for<std::int8_t>(32768, h200).threads == 256);  // it has only eight chunks
  CHECK_FALSE(preduce::two_pass.plan_for<float>(32769, h200).one_tile_code);
  CHECK_FALSE(preduce::two_pass.block_size(1024).plan_for<float>(4096, h200).one_tile_code);
}

TEST_CASE("locations of up to two rows are a single tile's, others are spread over the device") {
  using namespace preduce::detail;
  using monoid = preduce::minimum_location<float>;
  auto const planned = [](std::int64_t n) {
    return preduce::plan_grid(
        request_of<preduce::two_pass_policy<preduce::simt_place>, located_source<float, monoid>, monoid>(n, {},
                                                                                                         devices[0]));
  };
  CHECK((planned(4096).one_tile_code && planned(8192).one_tile_code));
  CHECK_FALSE(planned(8193).one_tile_code);
}

TEST_CASE("elements that are skipped before the first make no other units, though they may make one more tile") {
  using namespace preduce::detail;
  auto request = request_of<preduce::two_pass_policy<preduce::simt_place>, pointer_source<std::int8_t, std::int32_t>,
                            preduce::plus<std::int32_t>>(1 << 20, {}, devices[0]);
  auto const whole = preduce::plan_grid(request);
  request.skipped = 1;
  auto const skipping = preduce::plan_grid(request);
  CHECK(skipping.shape.tiles == whole.shape.tiles + 1);
  CHECK((skipping.threads == whole.threads && skipping.order.group_bits == whole.order.group_bits));
}

TEST_CASE("large values come in larger units, small ones under an operator that keeps the order do not") {
  using namespace preduce::detail;
  auto const units = [](int value_bytes) {
    auto request = request_of<preduce::two_pass_policy<preduce::simt_place>, pointer_source<kilobyte, kilobyte>,
                              preduce::plus<kilobyte>>(1 << 20, {}, devices[0]);
    request.element.chunk_lanes = 32;
    request.element.value_bytes = value_bytes;
    return preduce::plan_grid(request).order.units;
  };
  CHECK(units(4) == 512);
  CHECK(units(12) == 256);
  CHECK(units(24) == 128);
}

TEST_CASE("rows are counted in as many bits as there are, with the elements that are walked over") {
  using namespace preduce::detail;
  auto const how = [](auto element, std::int64_t n, std::uintptr_t address) {
    using T = decltype(element);
    using monoid = preduce::minimum_location<T>;
    using source = located_source<T, monoid>;
    return access_for<readings<source, monoid>>(source{reinterpret_cast<T const*>(address)}, n, devices[0]);
  };
  std::int64_t const most = std::int64_t{1} << 36;  // 256 rows a tile; one element more makes 512
  REQUIRE(preduce::shape_of(most).rows == 256);
  CHECK(how(std::int8_t{}, most, 4096) == access::skipping);
  CHECK(how(std::int8_t{}, most, 4096 + 1) == access::any);
  CHECK(how(std::int8_t{}, most - 1, 4096 + 1) == access::skipping);
  CHECK(how(std::int8_t{}, most - 15, 4096 + 15) == access::skipping);
  CHECK(how(std::int8_t{}, most + 1, 4096) == access::any);
  CHECK(how(std::int16_t{}, most + 1, 4096) == access::skipping);
  CHECK(how(float{}, std::int64_t{1} << 46, 4096) == access::any);
}

TEST_CASE("misaligned floats are read one by one up to some size, doubles and what has no order never") {
  using namespace preduce::detail;
  auto const how = [](auto element, auto op, std::int64_t n, preduce::device_facts const& on) {
    using T = decltype(element);
    using source = pointer_source<T, typename decltype(op)::value_type>;
    auto const* const misaligned = reinterpret_cast<T const*>(std::uintptr_t{4096} + sizeof(T));
    return access_for<readings<source, decltype(op)>>(source{misaligned, {}}, n, on);
  };
  auto const& h200 = devices[0];
  preduce::plus<float> const sum;
  CHECK(how(0.0f, sum, 100, h200) == access::one_by_one);
  CHECK(how(0.0f, sum, std::int64_t{4} << 20, h200) == access::one_by_one);
  CHECK(how(0.0f, sum, (std::int64_t{4} << 20) + 1, h200) == access::any);
  CHECK(how(std::int16_t{}, sum, std::int64_t{8} << 20, h200) == access::one_by_one);
  CHECK(how(std::int16_t{}, sum, (std::int64_t{8} << 20) + 1, h200) == access::any);
  CHECK(how(0.0, preduce::plus<double>{}, 100, h200) == access::any);
  CHECK(how(0, preduce::plus<int>{}, 100, h200) == access::skipping);
  auto const& simulated = preduce::simulated_device_facts();  // both ways, whatever the size
  CHECK(how(0.0f, sum, 100'000'000, simulated) == access::one_by_one);
  CHECK(how(0.0f, sum, 102, simulated) == access::any);
}

TEST_CASE("automatic picks for the size and the stream, and says why in words") {
  auto const& h200 = devices[0];
  CHECK(preduce::automatic.plan_for<float>(1 << 20, h200).algorithm == preduce::grid_algorithm::look_back);
  CHECK(preduce::automatic.plan_for<kilobyte>(1 << 12, h200).algorithm == preduce::grid_algorithm::last_ticket);
  CHECK(preduce::automatic.plan_for<float>(1 << 28, h200).algorithm == preduce::grid_algorithm::second_kernel);
  auto captured = captured_sum(h200);
  CHECK(preduce::plan_grid(captured).algorithm == preduce::grid_algorithm::second_kernel);
  captured.options.overlap_previous = true;
  CHECK(preduce::plan_grid(captured).algorithm == preduce::grid_algorithm::look_back);
  captured.options.block_threads = 32;
  captured.about.n = 1 << 22;  // 256 partials: more than 32 threads of two words each watch
  captured.element.value_bytes = 8;
  CHECK(preduce::plan_grid(captured).algorithm == preduce::grid_algorithm::second_kernel);

  auto const words = preduce::explain(preduce::automatic.plan_for<float>(1 << 20, h200));
  CHECK_MESSAGE(words.find("picked:    look_back (") != std::string::npos, words);
  auto const host = preduce::explain(preduce::automatic.plan_for<float>(1000));
  CHECK_MESSAGE(host.find("picked:    openmp with one thread") != std::string::npos, host);
}

TEST_CASE("look_back is last_block where a block cannot watch all partials, and says so") {
  auto const& h200 = devices[0];
  auto const planned = [&](auto const& policy, auto element, std::int64_t n) {
    return policy.template plan_for<decltype(element)>(n, h200);
  };
  auto const watched = planned(preduce::look_back, 0.0f, 1 << 20);
  CHECK(watched.algorithm == preduce::grid_algorithm::look_back);
  CHECK((watched.kernels == 1 && watched.workspace.partials == 0));
  CHECK(preduce::explain(watched).find("announce") != std::string::npos);
  auto const drawn = [&](auto const& made) {
    CHECK(made.algorithm == preduce::grid_algorithm::last_ticket);
    CHECK((made.kernels == 1 && made.workspace.announced == 0));
    CHECK(preduce::explain(made).find("ticket") != std::string::npos);
  };
  drawn(planned(preduce::look_back, kilobyte{}, 1 << 20));                         // too large a value
  drawn(planned(preduce::look_back, 0.0f, std::int64_t{1} << 30));                 // too many partials
  drawn(planned(preduce::look_back.block_size(32), 0.0f, std::int64_t{1} << 28));  // too few threads
  drawn(planned(preduce::look_back, 0.0f, std::int64_t{1} << 36));                 // partials in rows
  CHECK(planned(preduce::look_back.block_size(32), 0.0f, 1 << 16).algorithm == preduce::grid_algorithm::look_back);
}

TEST_CASE("automatic takes one kernel off a capture, whatever the width, up to 32 MiB") {
  auto const& h200 = devices[0];
  auto const one_kernel = [&](auto element, std::int64_t n) {
    auto const made = preduce::automatic.plan_for<decltype(element)>(n, h200);
    if (made.kernels == 1) return true;
    FAIL_CHECK(preduce::explain(made));
    return false;
  };
  struct twelve {
    float a[3];
  };
  struct sixteen {
    double a[2];
  };
  for (std::int64_t n = 1; n < std::int64_t{1} << 25; n += n < 70'000 ? 61 : n / 97) {
    bool all = one_kernel(std::int8_t{}, n);
    if (n <= 1 << 23) all = all && one_kernel(0.0f, n);
    if (n <= 1 << 22) all = all && one_kernel(0.0, n);
    if (n <= (std::int64_t{32} << 20) / 12) all = all && one_kernel(twelve{}, n);
    if (n <= 1 << 21) all = all && one_kernel(sixteen{}, n) && one_kernel(kilobyte{}, n / 64);
    if (!all) break;
  }
}

TEST_CASE("calls that overlap make a difference where the device can overlap them, and nowhere else") {
  for (auto const& on : devices) {
    auto request = captured_sum(on);
    auto const apart = preduce::plan_grid(request);
    request.options.overlap_previous = true;
    auto const together = preduce::plan_grid(request);
    CHECK(together.overlaps_previous == (on.compute_capability >= 90));
    CHECK((together.algorithm != apart.algorithm) == (on.compute_capability >= 90));
  }
}

TEST_CASE("the plans of the ladder are sound for every device and size") {
  for (auto const& on : devices) {
    for (auto const n : sizes) {
      preduce::ladder::for_each_rung([&](auto const& rung, char const* what) {
        auto const made = rung.template plan_for<float>(n, on);
        INFO(what, "; ", preduce::explain(made));
        CHECK(made.blocks >= 1);
        CHECK(made.threads % 32 == 0);
        CHECK(made.shared_bytes <= static_cast<std::size_t>(on.shared_bytes_per_block));
        if (made.finish_threads > 0) CHECK(made.order.units <= 65536);
      });
    }
  }
}
