// SPDX-License-Identifier: MIT
#include "report.hpp"

namespace candor::cli {

std::string html_report(const ReportInput& input) {
  return html_report(
      input, [&](const Matrix& X) { return predict(input.classifier, X, input.threads).clean; });
}

}  // namespace candor::cli
