// SPDX-License-Identifier: MIT
// Files that were altered under a valid checksum: refused by the name of the field, or harmless.
#include "model_files.hpp"

#include <candor/linalg/errors.hpp>
#include <candor/model/container.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace candor {
namespace {

using namespace testing_tables;

// Somebody who alters a file can also write its checksum: what is wrong must still be seen, or
// harm nobody.
TEST(ModelFile, AlteredAndSealedAgainIsRefusedOrCanBeUsed) {
  const std::string bytes = to_bytes(small());
  std::size_t refused = 0, accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::string altered = bytes;
    altered[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ 0x41U);
    seal(altered);
    const std::string refusal = refusal_of(altered);
    if (!refusal.empty()) {
      ++refused;
      continue;
    }
    ++accepted;
    if (accepted % 50 != 0) continue;
    const Classifier c = classifier_from(altered, "m.candor");
    EXPECT_EQ(to_bytes(classifier_from(to_bytes(c), "again")), to_bytes(c));
    try {
      EXPECT_TRUE(predict(c, c.X).observed.allFinite());
    } catch (const NumericalError&) {  // said in a sentence, not in numbers
    } catch (const InvalidInput&) {    // likewise
    }
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(accepted, 100U);
}

using Json = nlohmann::json;

// One thing that the checksum cannot know about, and the field that the refusal must name.
struct Alteration {
  std::string field;
  std::function<void(Container&)> change;
};

Alteration number(const std::string& field, const std::string& array, double value,
                  std::size_t place = 0) {
  return {field, [=](Container& c) {
            std::get<std::vector<double>>(c.arrays.at(array).values).at(place) = value;
          }};
}

Alteration integer(const std::string& field, const std::string& array, std::int64_t value) {
  return {field, [=](Container& c) {
            std::get<std::vector<std::int64_t>>(c.arrays.at(array).values).at(0) = value;
          }};
}

Json::json_pointer pointer_to(std::string path) {
  std::ranges::replace(path, '.', '/');
  return Json::json_pointer("/" + path);
}

// What the refusal says is the path, unless told otherwise.
Alteration text(const std::string& path, const Json& value, const std::string& said = "") {
  return {said.empty() ? path : said, [=](Container& c) {
            Json model = Json::parse(c.model);
            model.at(pointer_to(path)) = value;
            c.model = model.dump();
          }};
}

Alteration without(const std::string& path) {
  return {path + " is missing", [=](Container& c) {
            Json model = Json::parse(c.model);
            model.at(pointer_to(path).parent_pointer()).erase(pointer_to(path).back());
            c.model = model.dump();
          }};
}

Alteration shorter(const std::string& field, const std::string& array) {
  return {field, [=](Container& c) {
            Array& a = c.arrays.at(array);
            a.shape[0] -= 1;
            std::visit([](auto& values) { values.pop_back(); }, a.values);
          }};
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<Alteration> alterations_of_rows() {
  return {
      {"X", [](Container& c) { c.arrays.erase("X"); }},
      {"classes", [](Container& c) { c.model = "{}"; }},
      {"header", [](Container& c) { c.model = std::string(100000, '['); }},
      number("X", "X", nan, 3),
      number("X", "X", 1e308),
      number("X", "X", infinite),
      number("disagree on which cells are missing", "X", nan),
      number("X holds a code", "X", 0.5, 3),  // of colours
      integer("label", "label", 2),
      integer("label", "label", -1),
      integer("label", "label", std::int64_t{1} << 32U),
      shorter("label", "label"),
      integer("row", "row", -1),
      integer("row", "row", 1),
      integer("row", "row", std::numeric_limits<std::int64_t>::max()),
      shorter("X", "row"),
      number("weight", "weight", -1.0),
      number("weight", "weight", 1e308),
      integer("trusted", "trusted", 7),
      shorter("trusted", "trusted"),
      number("encoder.columns.0.center", "encoder.center_scale_fill", nan),
      number("encoder.columns.0.scale", "encoder.center_scale_fill", 0.0, 1),
      number("encoder.columns.0.scale", "encoder.center_scale_fill", -1.0, 1),
      number("encoder.columns.0.fill", "encoder.center_scale_fill", 1e308, 2),
      number("encoder.columns.0.fill", "encoder.center_scale_fill", -infinite, 2),
  };
}

std::vector<Alteration> alterations_of_columns() {
  const std::string column = "encoder.columns.2.";
  return {
      text("classes", Json::array()),
      text("classes", Json::array({"yes"})),
      text("classes", Json::array({"yes", "yes"})),
      text("classes", Json::array({"", "yes"})),
      text("classes", 7),
      text("discrete", Json::array()),
      text("discrete", Json::array({-1})),
      text("discrete", Json::array({0.5})),
      text("encoder.columns.0.name", "y", "encoder.columns has two of one name"),
      without("encoder.unused"),
      without(column + "name"),
      text(column + "category", "yes"),
      text(column + "style", "roman"),
      text(column + "levels", Json::array({"red", "red"})),
      text(column + "levels", Json::array(), "X holds a code"),
  };
}

std::vector<Alteration> alterations_of_questions() {
  const std::string q = "questions.0.", p = q + "processes.0.", e = q + "evidence.1.";
  return {
      text("questions", Json::array()),
      text(q + "positive_class", 2),
      text(q + "positive_class", "yes"),
      without(q + "processes"),
      without(p + "name"),
      without(p + "covariance"),
      text(p + "covariance", "-2 * linear"),
      text(p + "covariance", "linear(lengthscale=nan)"),
      text(p + "covariance", "squared_exponential(lengthscale=[1, 2])"),
      text(p + "covariance", "nothing_of_this_name"),
      text(p + "likelihood", "nothing_of_this_name"),
      without(e + "name"),
      text(e + "family", 7),
      text(e + "errors", "nothing_of_this_name"),
      text(e + "evaluations", -3),
      text(e + "evaluations", 0.5),
      text(e + "sweeps", std::int64_t{1} << 40U),
      text(e + "converged", 1),
      without("provenance.source"),
      text("provenance.seed", "one"),
      text("provenance.options", "not json"),
      text("provenance.options", "3"),
      text("provenance.options", R"({"inference": 3})"),
  };
}

std::vector<Alteration> alterations_of_numbers() {
  const std::string q = "questions.0.", p = q + "processes.0.";
  return {
      number(p + "likelihood", p + "likelihood", 7.0),
      number(p + "likelihood", p + "likelihood", -0.1),
      number(p + "likelihood", p + "likelihood", nan),
      shorter(p + "likelihood", p + "likelihood"),
      number(p + "site_tau", p + "site_tau", 1e308),
      number(p + "site_tau", p + "site_tau", nan),
      number(p + "site_nu", p + "site_nu", -1e308),
      number(p + "site_nu", p + "site_nu", infinite),
      shorter(p + "site_nu", p + "site_nu"),
      number(q + "process_weight", q + "process_weight", 3.0),
      number(q + "process_weight", q + "process_weight", nan),
      number(q + "p_wrong", q + "p_wrong", 1.5),
      number(q + "p_wrong", q + "p_wrong", nan),
      number(q + "p_clean_loo", q + "p_clean_loo", -0.5),
      number(q + "rate", q + "rate", 7.0),
      number(q + "rate", q + "rate", nan, 1),
      number(q + "rate", q + "rate", -2.0, 3),
      number(q + "evidence.0.log_evidence", q + "evidence", infinite),
      number(q + "evidence.0.probability", q + "evidence", 2.0, 2),
  };
}

TEST(ModelFile, ThatContradictsItselfIsRefusedByTheNameOfTheField) {
  const Container good = unpack(to_bytes(rich()), "m.candor");
  EXPECT_EQ(refusal_of(pack(good)), "") << "without a change there is nothing to refuse";
  for (const auto& alterations : {alterations_of_rows(), alterations_of_columns(),
                                  alterations_of_questions(), alterations_of_numbers()}) {
    for (const Alteration& alteration : alterations) {
      Container altered = good;
      alteration.change(altered);
      const std::string refusal = refusal_of(pack(altered));
      EXPECT_TRUE(contains(refusal, "m.candor is damaged: ")) << alteration.field;
      EXPECT_TRUE(contains(refusal, alteration.field)) << alteration.field << ": " << refusal;
      EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
    }
  }
}

// Numbers that are legal one by one may still make no posterior together.
TEST(ModelFile, WithImpossibleSitesPredictsNothingRatherThanNonsense) {
  Classifier c = small();
  for (const double tau : {-1e99, -2.0, 1e99}) {
    for (const double nu : {0.0, 1e99}) {
      c.questions[0].processes[0].site_tau.setConstant(tau);
      c.questions[0].processes[0].site_nu.setConstant(nu);
      const Classifier loaded = classifier_from(to_bytes(c), "m.candor");
      try {
        const ClassProbabilities p = predict(loaded, loaded.X);
        EXPECT_TRUE(p.clean.allFinite() && p.observed.allFinite()) << tau << " " << nu;
      } catch (const NumericalError& error) {
        EXPECT_TRUE(contains(error.what(), "again"));
      }
    }
  }
}

// A header may promise more than there is, and must not be believed.
TEST(ModelFile, DoesNotAllocateWhatAShapePromises) {
  const std::string bytes = to_bytes(small());
  const std::string key = R"("label":{"dtype":"I64","shape":[12])";
  const std::size_t at = bytes.find(key);
  ASSERT_NE(at, std::string::npos);
  // As long as what they replace, so that the header keeps its length; blanks are legal there.
  for (const std::string_view shape : {"[99]", "[-1]", "[ ]]", "[.2]", "[\"]"}) {
    std::string altered = bytes;
    altered.replace(at + key.size() - shape.size(), shape.size(), shape);
    seal(altered);
    EXPECT_TRUE(contains(refusal_of(altered), "is damaged")) << shape;
  }
  Container overflowing = unpack(bytes, "m.candor");
  overflowing.arrays.at("label").shape = {Index{1} << 62U, 4};  // 2⁶⁴ is 0 in 64 bits
  EXPECT_TRUE(contains(refusal_of(pack(overflowing)), "is damaged"));
}

}  // namespace
}  // namespace candor
