// SPDX-License-Identifier: MIT
// Posteriors of a classifier's processes, rebuilt once and kept for whoever predicts again: what a
// call takes is then n² operations a row and no n³.  May be asked from several threads.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/model/classifier.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace candor {

class KeptPosteriors {
 public:
  // Of one classifier, which must outlive this and stay as it is.  Where all its posteriors together
  // would take more bytes, none is kept, and each is rebuilt when it is asked for.
  explicit KeptPosteriors(const Classifier& classifier, double most_bytes = 256e6);

  // Of a process of that classifier: posterior_of, or class_posterior_of of a joint question.  One
  // that was kept for another number of threads is rebuilt.
  [[nodiscard]] std::shared_ptr<const Approximation> of(const Process& process, Threads threads);

  // All of them, now.
  void rebuild(Threads threads);

 private:
  const Classifier& classifier_;
  bool keeps_;
  std::mutex mutex_;
  std::map<const Process*, std::shared_ptr<const Approximation>> kept_;
};

}  // namespace candor
