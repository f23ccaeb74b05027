// SPDX-License-Identifier: MIT
#include <candor/covariance/log_parameters.hpp>

#include <candor/linalg/check.hpp>

#include <cmath>

namespace candor {
namespace {

// Walks the learned parameters of a tree in order; visit(path, number) sees each of them.  Paths
// cost strings, so they are built only for visitors that want them.
template <class Visit>
class Walk {
 public:
  Walk(bool with_paths, Visit visit) : with_paths_(with_paths), visit_(std::move(visit)) {}

  template <class K>  // Covariance or const Covariance
  void tree(const std::string& prefix, K& covariance) {
    std::visit(
        [&](auto& k) {
          for_each_parameter(k, [&](const auto& p, auto& member) {
            member_of(p.learned, with_paths_ ? prefix + std::string(p.name) : std::string(),
                      member);
          });
        },
        covariance.node);
  }

 private:
  std::string entry(const std::string& path, std::size_t i) const {
    return with_paths_ ? path + "[" + std::to_string(i) + "]" : std::string();
  }

  template <class T>
  void member_of(bool is_learned, const std::string& path, T& member) {
    using Value = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Value, Box<Covariance>>) {
      tree(path + ".", *member);
    } else if constexpr (std::is_same_v<Value, std::vector<Covariance>>) {
      for (std::size_t i = 0; i < member.size(); ++i) tree(entry(path, i) + ".", member[i]);
    } else if constexpr (std::is_same_v<Value, Vector>) {
      for (Index i = 0; is_learned && i < member.size(); ++i) {
        visit_(entry(path, static_cast<std::size_t>(i)), member[i]);
      }
    } else if constexpr (std::is_same_v<Value, double>) {
      if (is_learned) visit_(path, member);
    }
  }

  bool with_paths_;
  Visit visit_;
};

}  // namespace

Index log_parameter_count(const Covariance& covariance) {
  Index count = 0;
  Walk(false, [&](const std::string&, const double&) { ++count; }).tree("", covariance);
  return count;
}

std::vector<std::string> parameter_names(const Covariance& covariance) {
  std::vector<std::string> names;
  Walk(true, [&](const std::string& path, const double&) {
    names.push_back(path);
  }).tree("", covariance);
  return names;
}

Vector log_parameters(const Covariance& covariance) {
  Vector logs(log_parameter_count(covariance));
  Index next = 0;
  Walk(false, [&](const std::string&, const double& value) {
    logs[next++] = std::log(value);
  }).tree("", covariance);
  return logs;
}

Covariance with_log_parameters(Covariance covariance, const VectorRef& log_parameters) {
  check_same_size("log_parameters", log_parameters.size(), "learned parameters of the covariance",
                  log_parameter_count(covariance));
  Index next = 0;
  Walk(true, [&](const std::string& path, double& value) {
    check_finite("log " + path, log_parameters[next]);
    value = std::exp(log_parameters[next++]);
    check_positive(path, value);
  }).tree("", covariance);
  return covariance;
}

}  // namespace candor
