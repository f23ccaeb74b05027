// SPDX-License-Identifier: MIT
// Finds OpenBLAS at run time, makes it use the widest kernels of this CPU, and makes it safe to
// call from several threads.
//
// OpenBLAS picks its kernels when it is loaded, and releases older than the CPU fall back to SSE3
// (less than half the speed).  So the kernels are chosen here, from CPUID, before it is opened.
// Why this library, these kernels, this flavour: docs/decisions/0002-blas-kernels.md.
//
// Internal to linalg: everybody else calls blas.hpp.
#pragma once

#include <string>
#include <vector>

namespace candor::blas {

// Fortran calling convention: every argument by address, 32-bit integers.
struct OpenBlas {
  using Gemm = void(const char* op_a, const char* op_b, const int* m, const int* n, const int* k,
                    const double* alpha, const double* A, const int* ld_a, const double* B,
                    const int* ld_b, const double* beta, double* C, const int* ld_c);
  using Syrk = void(const char* uplo, const char* op, const int* n, const int* k,
                    const double* alpha, const double* A, const int* ld_a, const double* beta,
                    double* C, const int* ld_c);
  using Triangular = void(const char* side, const char* uplo, const char* op, const char* diagonal,
                          const int* m, const int* n, const double* alpha, const double* L,
                          const int* ld_l, double* B, const int* ld_b);
  using Factor = void(const char* uplo, const int* n, double* A, const int* ld_a, int* info);
  using Trtri = void(const char* uplo, const char* diagonal, const int* n, double* L,
                     const int* ld_l, int* info);
  using Symv = void(const char* uplo, const int* n, const double* alpha, const double* A,
                    const int* ld_a, const double* x, const int* step_x, const double* beta,
                    double* y, const int* step_y);
  using Trmv = void(const char* uplo, const char* op, const char* diagonal, const int* n,
                    const double* L, const int* ld_l, double* x, const int* step_x);
  using Gemv = void(const char* op, const int* m, const int* n, const double* alpha,
                    const double* A, const int* ld_a, const double* x, const int* step_x,
                    const double* beta, double* y, const int* step_y);

  Gemm* gemm;
  Syrk* syrk;
  Triangular* trsm;
  Triangular* trmm;
  Factor* potrf;
  Trtri* trtri;
  Factor* lauum;
  Symv* symv;
  Trmv* trmv;
  Gemv* gemv;
  int (*get_threads)();
  void (*set_threads)(int count);
  int threads_before;       // it was opened here: more than 1 where somebody else uses it, too
  bool has_slow_trsm;       // its kernels are those for AVX-512
  std::string description;  // "OpenBLAS 0.3.21, Haswell kernels"
};

// Opens the first of these that is an OpenBLAS which several threads may call.
[[nodiscard]] OpenBlas open_first_of(const std::vector<std::string>& names);

// The library of this process, for one call: `Call()->gemm(…)`.  It is opened by the first Call.
// OpenBLAS has a fixed number of work buffers and crashes when more threads are inside it at once,
// so a Call waits (asleep) while very many others last.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const OpenBlas* operator->() const { return &table_; }
  const OpenBlas& operator*() const { return table_; }

 private:
  const OpenBlas& table_;
};

}  // namespace candor::blas
