// SPDX-License-Identifier: MIT
#include <apps/cli/progress.hpp>

#include <apps/cli/sheet.hpp>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace candor::cli {
namespace {

constexpr auto redraw_every = std::chrono::milliseconds(100);

std::size_t terminal_columns() {
  winsize window{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
  return window.ws_col;
}

// Cut before a code point that would not fit.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins && used++ == columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

ProgressLine::ProgressLine(std::ostream& err, bool visible, double expected_seconds)
    : err_(err), visible_(visible), expected_seconds_(expected_seconds) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const Progress& progress) {
  draw(fmt::format("learning: {} · {} evaluations", printable(progress.stage),
                   progress.evaluations));
}

void ProgressLine::show(const SamplingProgress& progress) {
  draw(fmt::format("{}: {} of {}", printable(progress.stage), progress.done, progress.total));
}

void ProgressLine::draw(const std::string& what) {
  const auto now = Clock::now();
  if (!visible_ || (drawn_ && now - last_drawn_ < redraw_every)) return;
  const double left = expected_seconds_ - seconds();
  std::string line = fmt::format("{} · {}", what, duration(seconds()));
  if (left >= 1.0) line += fmt::format(" · about {} left", duration(left));
  err_ << "\r\x1b[K" << cut(line, terminal_columns() - 1) << std::flush;
  drawn_ = true;
  last_drawn_ = now;
}

void ProgressLine::clear() {
  if (drawn_) err_ << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

std::string duration(double seconds) {
  if (seconds < 10.0) return fmt::format("{:.2g} s", seconds);
  if (seconds < 90.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400.0) return fmt::format("{:.0f} min", seconds / 60.0);
  if (seconds < 172800.0) return fmt::format("{:.0f} h", seconds / 3600.0);
  return fmt::format("{:.0f} days", seconds / 86400.0);
}

std::string size(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000.0 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, bytes < 10.0 && unit > 0 ? 1 : 0, units[unit]);
}

}  // namespace candor::cli
