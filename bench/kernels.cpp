// SPDX-License-Identifier: MIT
// How fast are the factorisations under every engine, compared with one dgemm of the same size?
//
//   kernels --benchmark_counters_tabular=true
//
// Arguments: n, threads.  Counters: GFLOP/s of CPU time (one thread) or wall time (several), and
// the share of the dgemm rate at the same n on one thread, measured first.  A = I + X Xᵀ/n, X
// uniform.  OPENBLAS_CORETYPE=Haswell or SkylakeX in the environment compares kernels.
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>

#include <benchmark/benchmark.h>

#include <ctime>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace {

using candor::Index;
using candor::Matrix;
using candor::MatrixOut;
using candor::Threads;
using candor::blas::Op;

struct Problem {
  explicit Problem(Index n) : X(Matrix::Random(n, n)), A(Matrix::Identity(n, n)) {
    candor::blas::syrk(1.0 / static_cast<double>(n), X, Op::none, 1.0, A);
    L = A;
    if (!candor::blas::potrf(L)) throw std::logic_error("the benchmark's matrix has no factor");
  }
  Matrix X, A, L;
};

// dgemm GFLOP/s by n, filled by the gemm benchmarks, which are registered first.
std::map<Index, double>& gemm_rates() {
  static std::map<Index, double> rates;
  return rates;
}

void report(benchmark::State& state, Index n, double flops, double seconds) {
  const double rate = flops * static_cast<double>(state.iterations()) / seconds / 1e9;
  state.counters["GFLOP/s"] = rate;
  const auto gemm = gemm_rates().find(n);
  if (gemm != gemm_rates().end()) state.counters["of_dgemm"] = rate / gemm->second;
}

double now(bool wall) {
  timespec time{};
  clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Times `body` on a fresh copy of the input; the copy is not counted.
double timed(benchmark::State& state, bool wall, const std::function<void()>& prepare,
             const std::function<void()>& body) {
  double seconds = 0.0;
  for (auto _ : state) {
    prepare();
    const double begin = now(wall);
    body();
    const double elapsed = now(wall) - begin;
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  return seconds;
}

void gemm(benchmark::State& state) {
  const Index n = state.range(0);
  const Problem problem(n);
  Matrix C(n, n);
  const double seconds = timed(
      state, false, [] {},
      [&] { candor::blas::gemm(1.0, problem.X, Op::none, problem.A, Op::none, 0.0, C); });
  const double flops =
      2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  gemm_rates()[n] = flops * static_cast<double>(state.iterations()) / seconds / 1e9;
  report(state, n, flops, seconds);
}

using Routine = std::function<void(MatrixOut, Threads)>;
enum class Input { symmetric, factor };

// All of these take n³/3 operations.
void in_place(benchmark::State& state, const Routine& routine, Input input) {
  const Index n = state.range(0);
  const Threads threads{static_cast<int>(state.range(1))};
  const Problem problem(n);
  Matrix work;
  const double seconds = timed(
      state, threads.count > 1, [&] { work = input == Input::symmetric ? problem.A : problem.L; },
      [&] { routine(work, threads); });
  const auto size = static_cast<double>(n);
  report(state, n, size * size * size / 3.0, seconds);
}

void register_in_place(const std::string& name, const Routine& routine, Input input,
                       bool threaded) {
  auto* one = benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& state) { in_place(state, routine, input); });
  one->UseManualTime()->Unit(benchmark::kMillisecond)->ArgNames({"n", "threads"});
  for (const Index n : {500, 1000, 2000}) {
    one->Args({n, 1});
    if (threaded && Threads::all().count > 1) one->Args({n, Threads::all().count});
  }
}

void must(bool positive_definite) {
  if (!positive_definite) throw std::logic_error("the benchmark's matrix has no factor");
}

}  // namespace

int main(int argc, char** argv) {
  namespace blas = candor::blas;
  benchmark::RegisterBenchmark("dgemm", gemm)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->ArgName("n")
      ->Arg(500)
      ->Arg(1000)
      ->Arg(2000);
  register_in_place(
      "dpotrf", [](MatrixOut A, Threads) { must(blas::potrf(A)); }, Input::symmetric, false);
  register_in_place(
      "dtrtri", [](MatrixOut L, Threads) { blas::trtri(L); }, Input::factor, false);
  register_in_place(
      "dlauum", [](MatrixOut L, Threads) { blas::lauum(L); }, Input::factor, false);
  register_in_place(
      "cholesky_in_place", [](MatrixOut A, Threads t) { must(candor::cholesky_in_place(A, t)); },
      Input::symmetric, true);
  register_in_place("invert_lower_in_place", candor::invert_lower_in_place, Input::factor, true);
  register_in_place("gram_of_lower_in_place", candor::gram_of_lower_in_place, Input::factor, true);

  benchmark::AddCustomContext("blas", blas::description());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
