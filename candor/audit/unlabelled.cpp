// SPDX-License-Identifier: MIT
#include <candor/audit/unlabelled.hpp>

namespace candor {

std::vector<UnlabelledRow> predict_unlabelled(const Classifier& classifier,
                                              const Prepared& prepared, Threads threads) {
  std::vector<Index> rows;
  for (std::size_t row = 0; row < prepared.labels.codes.size(); ++row) {
    if (prepared.labels.codes[row] < 0) rows.push_back(static_cast<Index>(row));
  }
  std::vector<UnlabelledRow> all;
  if (rows.empty()) return all;
  const Matrix p = predict(classifier, prepared.inputs.X(rows, Eigen::all), threads).clean;
  for (Index i = 0; i < p.rows(); ++i) {
    Index best = 0;
    const double top = p.row(i).maxCoeff(&best);
    all.push_back({rows[static_cast<std::size_t>(i)], static_cast<int>(best), top});
  }
  return all;
}

}  // namespace candor
