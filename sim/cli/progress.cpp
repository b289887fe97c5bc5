#include "sim/cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace berth::cli {

Progress::Progress(std::size_t jobs) : jobs_(jobs), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::consume(std::span<const Record> records) {
  if (!on_terminal_) return;
  finished_ +=
      static_cast<std::size_t>(std::ranges::count(records, RecordKind::kFinished, &Record::kind));
  const Clock::time_point now = Clock::now();
  if (now < next_ || jobs_ == 0) return;
  next_ = now + std::chrono::milliseconds(200);
  constexpr std::size_t kWidth = 40;
  const std::size_t filled = std::min(kWidth, kWidth * finished_ / jobs_);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  const double seconds = std::chrono::duration<double>(now - started_).count();
  std::fprintf(stderr, "\r[%s] %3zu %%  %.0f jobs/s ", bar.c_str(), 100 * finished_ / jobs_,
               static_cast<double>(finished_) / seconds);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace berth::cli
