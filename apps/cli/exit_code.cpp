// SPDX-License-Identifier: MIT
#include <apps/cli/exit_code.hpp>

#include <apps/cli/sheet.hpp>

#include <candor/linalg/errors.hpp>
#include <candor/model/fit.hpp>

#include <new>

namespace candor::cli {

const std::vector<ExitMeaning>& exit_meanings() {
  static const std::vector<ExitMeaning> meanings{
      {ExitCode::done, "done"},
      {ExitCode::failed, "failed: a computation broke down, or standard output cannot be written"},
      {ExitCode::usage, "the command line is wrong"},
      {ExitCode::bad_input, "bad input: a file cannot be read, written or used as it is"},
      {ExitCode::not_converged,
       "not converged, stopped by --max-time or by Ctrl-C: results were written, with a warning"},
      {ExitCode::over_limit, "over a limit of memory or time: nothing was written"},
      {ExitCode::too_many_wrong,
       "--fail-on: more labels look wrong than allowed (results written)"},
      {ExitCode::interrupted, "interrupted by Ctrl-C before there was anything to write"},
  };
  return meanings;
}

ExitCode report_current_exception(std::ostream& err) {
  try {
    throw;
  } catch (const UsageError& e) {
    err << "candor: " << printable(e.what()) << '\n';
    return ExitCode::usage;
  } catch (const OverLimit& e) {
    err << "candor: " << printable(e.what()) << '\n';
    return ExitCode::over_limit;
  } catch (const InvalidInput& e) {  // TableError and ModelFileError are kinds of it
    err << "candor: " << printable(e.what()) << '\n';
    return ExitCode::bad_input;
  } catch (const Cancelled&) {
    err << "candor: interrupted; nothing was written\n";
    return ExitCode::interrupted;
  } catch (const std::bad_alloc&) {
    err << "candor: out of memory; fewer rows need less (audit, fit and compare: --sample)\n";
    return ExitCode::over_limit;
  } catch (const std::exception& e) {
    err << "candor: " << printable(e.what()) << '\n';
    return ExitCode::failed;
  }
}

}  // namespace candor::cli
