// SPDX-License-Identifier: MIT
#include "errors.hpp"

#include <candor/data/table_error.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/fit.hpp>
#include <candor/model/model_file.hpp>

namespace nb = nanobind;

namespace candor::python {

// The last one registered is asked first.
void bind_errors(nb::module_& module) {
  nb::exception<InvalidInput> invalid(module, "InvalidInput", PyExc_ValueError);
  nb::exception<TableError>(module, "TableError", invalid.ptr());
  nb::exception<ModelFileError>(module, "ModelFileError", invalid.ptr());
  nb::exception<NumericalError>(module, "NumericalError", PyExc_ArithmeticError);
  nb::exception<LibraryNotFound>(module, "LibraryNotFound", PyExc_ImportError);
  nb::exception<Cancelled>(module, "Cancelled", PyExc_RuntimeError);
}

}  // namespace candor::python
