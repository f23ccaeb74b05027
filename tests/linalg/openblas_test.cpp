// SPDX-License-Identifier: MIT
#include <candor/linalg/blas.hpp>
#include <candor/linalg/blas_threads.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/openblas.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace candor::blas {
namespace {

std::string refusal(const std::vector<std::string>& candidates) {
  try {
    (void)open_first_of(candidates);
  } catch (const LibraryNotFound& error) {
    return error.what();
  }
  return "opened";
}

TEST(OpenBlas, SaysWhatWasTriedAndWhatToInstall) {
  const std::string message = refusal({"libno-such-blas.so.7", "libneither.so"});
  for (const char* part :
       {"libno-such-blas.so.7", "libneither.so", "libopenblas0-pthread", "CANDOR_BLAS"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(OpenBlas, RefusesALibraryThatIsNotOpenBlas) {
  const std::string message = refusal({"libm.so.6"});
  EXPECT_NE(message.find("libm.so.6: it is not an OpenBLAS"), std::string::npos) << message;
}

TEST(OpenBlas, DescribesVersionAndKernels) {
  EXPECT_EQ(description().rfind("OpenBLAS ", 0), 0U) << description();
  EXPECT_NE(description().find(" kernels"), std::string::npos) << description();
}

TEST(OpenBlas, UsesAtLeastAvx2KernelsWhereTheCpuHasThem) {
#if defined(__x86_64__)
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "the user chose the kernels";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "no AVX2";
  for (const char* narrow : {"Prescott", "Core2", "Nehalem", "Sandybridge", "Barcelona"})
    EXPECT_EQ(description().find(narrow), std::string::npos) << description();
#endif
}

TEST(OpenBlas, LeavesTheEnvironmentAsItWas) {
  (void)description();
  ASSERT_EQ(setenv("OPENBLAS_NUM_THREADS", "7", 1), 0);
  (void)refusal({"libno-such-blas.so.7"});
  EXPECT_STREQ(std::getenv("OPENBLAS_NUM_THREADS"), "7");
  ASSERT_EQ(unsetenv("OPENBLAS_NUM_THREADS"), 0);
  const char* before = std::getenv("OPENBLAS_CORETYPE");
  (void)refusal({"libno-such-blas.so.7"});
  EXPECT_EQ(std::getenv("OPENBLAS_NUM_THREADS"), nullptr);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE") == nullptr, before == nullptr);
}

TEST(OpenBlas, GetsItsThreadsBackWhenTheLastHasDoneWithOne) {
  const Call blas;
  { const OneThread first_time; }  // which gives back what there was when it was opened
  blas->set_threads(2);
  {
    const OneThread outer;
    EXPECT_EQ(blas->get_threads(), 1);
    { const OneThread inner; }
    EXPECT_EQ(blas->get_threads(), 1);
  }
  EXPECT_EQ(blas->get_threads(), 2);
  blas->set_threads(1);
}

// A flavour without locks fails this within a few thousand calls; one with too few buffers crashes.
TEST(OpenBlas, GivesTheSameBitsToVeryManyThreadsAtOnce) {
  const Matrix A = Matrix::Random(96, 96), B = Matrix::Random(96, 96);
  Matrix expected(96, 96);
  gemm(1.0, A, Op::none, B, Op::none, 0.0, expected);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(200);
    for (int t = 0; t < 200; ++t)
      threads.emplace_back([&] {
        Matrix C(96, 96);
        for (int repeat = 0; repeat < 100; ++repeat) {
          gemm(1.0, A, Op::none, B, Op::none, 0.0, C);
          if (C != expected) ++wrong;
        }
      });
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace candor::blas
