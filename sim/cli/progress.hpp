// A progress bar on a terminal, for runs longer than a second; never into a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include "sim/api/record.hpp"

namespace berth::cli {

class Progress final : public RecordSink {
 public:
  explicit Progress(std::size_t jobs);
  void consume(std::span<const Record> records) override;
  // Takes the bar off the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t jobs_;
  std::size_t finished_ = 0;
  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_ = started_ + std::chrono::seconds(1);
};

}  // namespace berth::cli
