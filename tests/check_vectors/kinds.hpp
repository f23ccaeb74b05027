// SPDX-License-Identifier: MIT
// One function per family of kinds: computes what a case asks for and checks what it expects.
#pragma once

#include "case.hpp"

namespace check_vectors {

void check_kernel(Case& c);
void check_site_moments(Case& c);
void check_integral(Case& c);
void check_ep(Case& c);
void check_hard_ep(Case& c);  // the sequential engine may fail on these
void check_exact(Case& c);
void check_laplace(Case& c);
void check_softmax_laplace(Case& c);
void check_robust_max(Case& c);
void check_em_ep_step(Case& c);
void check_learning(Case& c);

}  // namespace check_vectors
