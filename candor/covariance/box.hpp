// SPDX-License-Identifier: MIT
// A value on the heap: copies deeply, so a type may hold one of itself and stay a regular value.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

namespace candor {

template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  template <class U>
  requires(!std::same_as<U, Box>) && std::constructible_from<T, U> Box(U value)
      : value_(std::make_unique<T>(std::move(value))) {}

  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  // What was moved from may only be assigned to or destroyed.
  Box(Box&& other) noexcept = default;
  Box& operator=(const Box& other) {
    value_ = std::make_unique<T>(*other);
    return *this;
  }
  Box& operator=(Box&& other) noexcept = default;
  ~Box() = default;

  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace candor
