// SPDX-License-Identifier: MIT
#include <candor/model/version.hpp>

namespace candor {

std::string_view version() { return CANDOR_VERSION; }

}  // namespace candor
