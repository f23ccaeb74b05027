// SPDX-License-Identifier: MIT
// report_page <scenario> > page.html, for the tests of the page's structure and for looking at it.
#include "fixture.hpp"

#include <iostream>
#include <map>
#include <string>

int main(int argc, char** argv) {
  using candor::cli::Scenario;
  const std::map<std::string, Scenario> scenarios{
      {"two", {}},
      {"three", {.classes = 3, .categories = 2, .seed = 4}},
      {"many", {.rows = 900, .classes = 12, .numbers = 8, .seed = 3}},
      {"clean", {.rate = 0.0, .seed = 2}},
      {"categories", {.numbers = 1, .categories = 4}},
      {"single", {.numbers = 1}},
      {"plane", {.numbers = 2, .converged = false, .ids = false}},
      {"large", {.rows = 20000, .classes = 3, .numbers = 10, .rate = 0.02}},
      {"hostile", {.classes = 3, .categories = 1, .cell = candor::cli::hostile_cell}},
  };
  const auto found = scenarios.find(argc > 1 ? argv[1] : "two");
  if (found == scenarios.end()) {
    for (const auto& [name, scenario] : scenarios) std::cerr << name << '\n';
    return 2;
  }
  std::cout << candor::cli::report_of(found->second);
}
