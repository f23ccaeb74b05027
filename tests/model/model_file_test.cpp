// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <candor/linalg/errors.hpp>
#include <candor/model/container.hpp>
#include <candor/model/model_file.hpp>

#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

namespace candor {
namespace {

using namespace testing_tables;

namespace fs = std::filesystem;

// A folder of this process that is gone afterwards.
class Folder {
 public:
  Folder() { fs::create_directory(path_); }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::string path() const { return path_; }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("candor_model_{}", ::getpid());
};

// Weights, trusted rows, categories, missing cells, normal scores: all there is.
std::string everything(int rows) {
  std::istringstream lines(two_classes(rows));
  std::string text, line;
  for (int i = -1; std::getline(lines, line); ++i) {
    const double heavy = i % 13 == 3 ? 1e4 + i : 0.01 * i;
    text += line + (i < 0 ? ",heavy,copies,checked\n"
                          : fmt::format(",{},{},{}\n", heavy, 1 + i % 2, i % 7 == 0 ? 1 : 0));
  }
  return text;
}

Classifier rich() {
  const Table table = table_of(everything(40), "naïve \"quotes\".csv");
  return fit_table(table, quick(), {.label = "class", .trusted = "checked", .weight = "copies"});
}

const Classifier& small() {
  static const Classifier classifier = fit_table(table_of(two_classes(12, 5)));
  return classifier;
}

void expect_same_predictions(const Classifier& a, const Classifier& b, const Matrix& X) {
  const ClassProbabilities p = predict(a, X), q = predict(b, X);
  EXPECT_EQ(p.clean, q.clean);
  EXPECT_EQ(p.observed, q.observed);
  EXPECT_EQ(p.latent_mean, q.latent_mean);
  EXPECT_EQ(p.latent_variance, q.latent_variance);
}

std::string refusal_of(std::string_view bytes) {
  try {
    static_cast<void>(classifier_from(bytes, "m.candor"));
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ModelFile, ComesBackToTheLastBit) {
  for (const Classifier& before : {rich(), small(), fit_table(table_of(three_classes(24)))}) {
    const std::string bytes = to_bytes(before);
    const Classifier after = classifier_from(bytes, "m.candor");
    // What is written again is the same, so everything that is written has come back.
    EXPECT_EQ(to_bytes(after), bytes);
    EXPECT_EQ(after.encoder, before.encoder);
    EXPECT_EQ(after.classes, before.classes);
    EXPECT_EQ(after.X, before.X);
    EXPECT_EQ(after.row, before.row);
    EXPECT_EQ(after.label, before.label);
    EXPECT_EQ(after.trusted, before.trusted);
    EXPECT_EQ(after.weight, before.weight);
    EXPECT_EQ(after.discrete, before.discrete);
    EXPECT_EQ(after.questions[0].processes[0].covariance,
              before.questions[0].processes[0].covariance);
    EXPECT_EQ(after.questions[0].p_wrong, before.questions[0].p_wrong);
    EXPECT_EQ(after.questions[0].evidence[1].family, quick().covariances[0]);
    EXPECT_EQ(after.provenance.source, before.provenance.source);
    expect_same_predictions(before, after, before.X);
  }
}

TEST(ModelFile, HoldsNumbersThatJsonCannot) {
  Classifier odd = small();
  odd.questions[0].margin = std::numeric_limits<double>::quiet_NaN();
  odd.questions[0].evidence[0].log_integrated = -std::numeric_limits<double>::infinity();
  odd.questions[0].rate = std::numeric_limits<double>::denorm_min();
  odd.provenance.seed = std::numeric_limits<unsigned long long>::max();
  odd.provenance.source = "line\nend \x01 and a broken \xff byte";
  odd.interrupted = true;
  const Classifier back = classifier_from(to_bytes(odd), "m.candor");
  EXPECT_TRUE(std::isnan(back.questions[0].margin));
  EXPECT_EQ(back.questions[0].evidence[0].log_integrated, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.questions[0].rate, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(back.provenance.seed, odd.provenance.seed);
  EXPECT_TRUE(back.interrupted);
  EXPECT_FALSE(back.converged());
}

TEST(ModelFile, GoesThroughADisk) {
  const Folder folder;
  const std::string path = folder / "m.candor";
  save(small(), path);
  expect_same_predictions(small(), load(path), small().X);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1)
      << "a temporary file was left behind";
  EXPECT_THROW(save(small(), folder / "no/such/folder/m.candor"), ModelFileError);
}

TEST(ModelFile, OfAnyOtherLengthIsRefused) {
  const std::string bytes = to_bytes(small());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(refusal_of(std::string_view(bytes).substr(0, size)), "") << size;
  }
  EXPECT_NE(refusal_of(bytes + '\0'), "");
  EXPECT_NE(refusal_of(bytes + bytes), "");
  EXPECT_EQ(refusal_of(bytes), "") << "the whole file is not refused";
}

TEST(ModelFile, WithAnyByteChangedIsRefused) {
  std::string bytes = to_bytes(small());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char good = bytes[i];
    const auto flipped = static_cast<unsigned char>(good) ^ (1U << (i % 8));
    bytes[i] = static_cast<char>(static_cast<unsigned char>(flipped));
    ASSERT_NE(refusal_of(bytes), "") << "byte " << i;
    bytes[i] = good;
  }
  // The law above would also hold if everything were refused.
  EXPECT_EQ(refusal_of(bytes), "");
}

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

TEST(ModelFile, OfANewerCandorIsRefusedByItsVersion) {
  Container container = unpack(to_bytes(small()), "m.candor");
  container.format = 7;
  EXPECT_EQ(refusal_of(pack(container)),
            "m.candor was written by a newer Candor (format 7), this one reads up to 1: update");
}

TEST(ModelFile, IsNotWhatElsePeopleHaveLyingAbout) {
  EXPECT_EQ(refusal_of(""), "m.candor is no Candor model: it is empty");
  EXPECT_TRUE(contains(refusal_of(two_classes(20)), "it is text, perhaps a table"));
  EXPECT_TRUE(contains(refusal_of("\x1f\x8b\x08 and so on"), "it is a gzip file"));
  EXPECT_TRUE(contains(refusal_of("\x80\x04\x95\x10 and so on"), "it is a Python pickle"));
  EXPECT_TRUE(contains(refusal_of("PK\x03\x04 and so on"), "it is a ZIP archive"));
  const std::string other("\x40\0\0\0\0\0\0\0{\"weights\":{\"dtype\":\"F32\"}}", 36);
  EXPECT_TRUE(contains(refusal_of(other), "safetensors file of another program"));
  EXPECT_TRUE(contains(refusal_of(std::string(1000, '\0')), "no Candor model"));
}

TEST(ModelFile, ThatCannotBeReadSaysWhy) {
  const Folder folder;
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      static_cast<void>(load(path));
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(contains(refusal(folder.path()), "folder"));
  EXPECT_TRUE(contains(refusal(folder / "nothing"), "cannot be read"));
  EXPECT_TRUE(contains(refusal("/dev/zero"), "no regular file"));
  std::ofstream(folder / "empty") << "";
  EXPECT_TRUE(contains(refusal(folder / "empty"), "it is empty"));
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

std::vector<Alteration> alterations() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const std::string q = "questions.0.", p = q + "processes.0.", e = q + "evidence.1.";
  const std::string column = "encoder.columns.2.";
  return {
      {"X", [](Container& c) { c.arrays.erase("X"); }},
      {"classes", [](Container& c) { c.model = "{}"; }},
      {"header", [](Container& c) { c.model = std::string(100000, '['); }},
      number("X", "X", nan, 3),
      number("X", "X", 1e308),
      number("X holds a code", "X", 0.5, 3),  // of colours
      integer("label", "label", 2),
      integer("label", "label", -1),
      integer("label", "label", std::int64_t{1} << 32U),
      shorter("label", "label"),
      integer("row", "row", -1),
      integer("row", "row", 1),
      shorter("X", "row"),
      number("weight", "weight", -1.0),
      number("weight", "weight", 1e308),
      integer("trusted", "trusted", 7),
      shorter("trusted", "trusted"),
      number("encoder.columns.0.center", "encoder.center_scale_fill", nan),
      number("encoder.columns.0.scale", "encoder.center_scale_fill", 0.0, 1),
      number("encoder.columns.0.scale", "encoder.center_scale_fill", -1.0, 1),
      number("encoder.columns.0.fill", "encoder.center_scale_fill", 1e308, 2),
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
  std::size_t k = 0;
  for (const Alteration& alteration : alterations()) {
    Container altered = good;
    alteration.change(altered);
    const std::string refusal = refusal_of(pack(altered));
    EXPECT_TRUE(contains(refusal, "m.candor is damaged: ")) << k << ": " << alteration.field;
    EXPECT_TRUE(contains(refusal, alteration.field)) << k << ": " << refusal;
    EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
    ++k;
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
  const std::string key = "\"label\":{\"dtype\":\"I64\",\"shape\":[12]";
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
