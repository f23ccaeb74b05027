// SPDX-License-Identifier: MIT
#include <candor/linalg/openblas.hpp>

#include <candor/linalg/blas_threads.hpp>
#include <candor/linalg/errors.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <optional>
#include <semaphore>
#include <sstream>
#include <string_view>
#include <utility>

namespace candor::blas {
namespace {

// The OpenBLAS kernel set for this CPU; empty where OpenBLAS's own choice stands.  The built-ins
// ask CPUID and also whether the operating system saves the wide registers.
std::string_view best_kernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512cd");
  // AMD's AVX-512 issues as two halves: no faster in gemm, and slower in the factorisations
  // (docs/decisions/0002-blas-kernels.md).
  if (avx512 && !__builtin_cpu_is("amd")) return "SkylakeX";
  if (avx2) return "Haswell";
#endif
  return {};
}

// Sets an environment variable for the life of this object.
class TemporaryEnvironment {
 public:
  TemporaryEnvironment(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~TemporaryEnvironment() {
    if (before_)
      setenv(name_.c_str(), before_->c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  TemporaryEnvironment(const TemporaryEnvironment&) = delete;
  TemporaryEnvironment& operator=(const TemporaryEnvironment&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

template <class Function>
Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

template <class Function>
Function* required(void* library, const char* name) {
  if (auto* function = symbol<Function>(library, name)) return function;
  throw LibraryNotFound(std::string("it is not an OpenBLAS with LAPACK: symbol missing: ") + name);
}

std::string kernels_of(void* library) {
  auto* kernels = symbol<const char*()>(library, "openblas_get_corename");
  return kernels != nullptr ? kernels() : "";
}

// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …" → "OpenBLAS 0.3.21"
std::string describe(void* library) {
  std::string version = "BLAS";
  if (auto* config = symbol<const char*()>(library, "openblas_get_config")) {
    std::istringstream words(config());
    std::string name, number;
    words >> name >> number;
    version = name + " " + number;
  }
  const std::string kernels = kernels_of(library);
  return kernels.empty() ? version : version + ", " + kernels + " kernels";
}

bool is_for_avx512(const std::string& kernels) {
  return kernels == "SkylakeX" || kernels == "Cooperlake" || kernels == "SapphireRapids";
}

// Throws LibraryNotFound with the reason when the library will not do.
OpenBlas table_of(void* library) {
  constexpr int posix_threads = 1;
  if (required<int()>(library, "openblas_get_parallel")() != posix_threads)
    // Serial builds without locks hand the same work buffer to two threads: wrong results.
    throw LibraryNotFound(
        "it is not the POSIX-threads flavour, the only one safe to call from threads");
  // Threads are added above the BLAS, by tiles: it must not add its own.
  auto* const get_threads = required<int()>(library, "openblas_get_num_threads");
  auto* const set_threads = required<void(int)>(library, "openblas_set_num_threads");
  const int threads_before = get_threads();
  set_threads(1);
  return {.gemm = required<OpenBlas::Gemm>(library, "dgemm_"),
          .syrk = required<OpenBlas::Syrk>(library, "dsyrk_"),
          .trsm = required<OpenBlas::Triangular>(library, "dtrsm_"),
          .trmm = required<OpenBlas::Triangular>(library, "dtrmm_"),
          .potrf = required<OpenBlas::Factor>(library, "dpotrf_"),
          .trtri = required<OpenBlas::Trtri>(library, "dtrtri_"),
          .lauum = required<OpenBlas::Factor>(library, "dlauum_"),
          .symv = required<OpenBlas::Symv>(library, "dsymv_"),
          .trmv = required<OpenBlas::Trmv>(library, "dtrmv_"),
          .gemv = required<OpenBlas::Gemv>(library, "dgemv_"),
          .get_threads = get_threads,
          .set_threads = set_threads,
          .threads_before = threads_before,
          .has_slow_trsm = is_for_avx512(kernels_of(library)),
          .description = describe(library)};
}

OpenBlas open_one(const std::string& name) {
  // Never closed: the functions are used as long as the process lives.
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return table_of(library);
  const char* reason = dlerror();
  throw LibraryNotFound(reason != nullptr ? reason : "it cannot be opened");
}

// In order of preference.  A path the user gives is the only candidate, so that a mistake in it
// shows.
std::vector<std::string> candidates() {
  if (const char* path = std::getenv("CANDOR_BLAS"); path != nullptr && *path != '\0')
    return {path};
  std::vector<std::string> names;
  if (!std::string_view(CANDOR_OPENBLAS_LIBRARY).empty())
    names.emplace_back(CANDOR_OPENBLAS_LIBRARY);
  names.insert(names.end(), {"libopenblasp.so.0", "libopenblas.so.0", "libopenblas.so"});
  return names;
}

const OpenBlas& table() {
  static const OpenBlas opened = open_first_of(candidates());
  return opened;
}

// OpenBLAS 0.3.21 as packaged has 128 work buffers; a call takes one.
std::counting_semaphore<64>& permits() {
  static std::counting_semaphore<64> available(64);
  return available;
}

// How many want one thread now, and how many threads there were before the first of them.
struct Sharing {
  std::mutex mutex;
  int users = 0;
  int before = table().threads_before;
  bool is_first = true;
};

Sharing& sharing() {
  static Sharing shared;
  return shared;
}

}  // namespace

OpenBlas open_first_of(const std::vector<std::string>& names) {
  std::optional<TemporaryEnvironment> kernels;
  if (std::getenv("OPENBLAS_CORETYPE") == nullptr && !best_kernels().empty())
    kernels.emplace("OPENBLAS_CORETYPE", std::string(best_kernels()));
  const TemporaryEnvironment threads("OPENBLAS_NUM_THREADS", "1");
  std::string tried;
  for (const std::string& name : names) {
    try {
      return open_one(name);
    } catch (const LibraryNotFound& reason) {
      tried += "\n  " + name + ": " + reason.what();
    }
  }
  throw LibraryNotFound(
      "no usable OpenBLAS library was found: install the package libopenblas0-pthread, or set "
      "CANDOR_BLAS to the path of a libopenblas.so built with POSIX threads; tried" +
      tried);
}

Call::Call() : table_(table()) { permits().acquire(); }
Call::~Call() { permits().release(); }

OneThread::OneThread() {
  const std::lock_guard lock(sharing().mutex);
  if (sharing().users++ > 0) return;
  // Opening it has already set it to 1.
  if (!std::exchange(sharing().is_first, false)) sharing().before = table().get_threads();
  table().set_threads(1);
}

OneThread::~OneThread() {
  const std::lock_guard lock(sharing().mutex);
  if (--sharing().users == 0) table().set_threads(sharing().before);
}

}  // namespace candor::blas
