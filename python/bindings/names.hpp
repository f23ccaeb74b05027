// SPDX-License-Identifier: MIT
// Words that stand for C++ values in the module's arguments; InvalidInput lists those there are.
// Those of engines are inference.hpp's.
#pragma once

#include <candor/inference/inference.hpp>
#include <candor/learning/ensemble.hpp>
#include <candor/learning/label_errors.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/model/fit.hpp>

#include <string>

namespace candor::python {

[[nodiscard]] LabelErrors label_errors_named(const std::string& name);  // none, uniform, class
[[nodiscard]] Average average_named(const std::string& name);           // none, models, full
[[nodiscard]] Multiclass multiclass_named(const std::string& name);     // auto, joint, one-vs-rest
// threshold, probit, logistic; the rate is that of a threshold.
[[nodiscard]] Likelihood likelihood_named(const std::string& name);
[[nodiscard]] Threads threads_from(int count);  // 0: all

}  // namespace candor::python
