// SPDX-License-Identifier: MIT
// The Python module candor._core: the library with Python types at its edges and nothing else.
// What users see is made of it in python/candor.
#include "checks.hpp"
#include "covariances.hpp"
#include "errors.hpp"
#include "fitting.hpp"
#include "inputs.hpp"
#include "models.hpp"
#include "reports.hpp"
#include "single_model.hpp"

#include <candor/model/version.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

NB_MODULE(_core, module) {
  module.doc() = "Candor's C++ core; use the package candor instead.";
  module.attr("version") = std::string(candor::version());
  candor::python::bind_errors(module);
  candor::python::bind_covariances(module);
  candor::python::bind_inputs(module);
  candor::python::bind_models(module);
  candor::python::bind_fitting(module);
  candor::python::bind_checks(module);
  candor::python::bind_reports(module);
  candor::python::bind_single_model(module);
}
