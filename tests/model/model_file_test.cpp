// SPDX-License-Identifier: MIT
#include "model_files.hpp"

#include <candor/model/container.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

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

Matrix with_0_for_nan(const Matrix& X) { return X.array().isNaN().select(0.0, X); }

void expect_same_predictions(const Classifier& a, const Classifier& b, const Matrix& X) {
  const ClassProbabilities p = predict(a, X), q = predict(b, X);
  EXPECT_EQ(p.clean, q.clean);
  EXPECT_EQ(p.observed, q.observed);
  EXPECT_EQ(p.latent_mean, q.latent_mean);
  EXPECT_EQ(p.latent_variance, q.latent_variance);
}

TEST(ModelFile, ComesBackToTheLastBit) {
  for (const Classifier& before : {rich(), small(), fit_table(table_of(three_classes(24)))}) {
    const std::string bytes = to_bytes(before);
    const Classifier after = classifier_from(bytes, "m.candor");
    // What is written again is the same, so everything that is written has come back.
    EXPECT_EQ(to_bytes(after), bytes);
    EXPECT_EQ(after.encoder, before.encoder);
    EXPECT_EQ(after.classes, before.classes);
    EXPECT_EQ(with_0_for_nan(after.X), with_0_for_nan(before.X));
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

TEST(ModelFile, OfANewerCandorIsRefusedByItsVersion) {
  Container container = unpack(to_bytes(small()), "m.candor");
  container.format = 7;
  EXPECT_EQ(refusal_of(pack(container)),
            "m.candor was written by a newer Candor (format 7), this one reads up to 4: update");
  container.format = 1'234'567'890;
  EXPECT_TRUE(contains(refusal_of(pack(container)), "newer Candor (format 1234567890)"));
}

TEST(ModelFile, IsNotWhatElsePeopleHaveLyingAbout) {
  EXPECT_EQ(refusal_of(""), "m.candor is no Candor model: it is empty");
  EXPECT_TRUE(contains(refusal_of(two_classes(20)), "it is text, perhaps a table"));
  EXPECT_TRUE(contains(refusal_of("\x1f\x8b\x08 and so on"), "it is a gzip file"));
  EXPECT_TRUE(contains(refusal_of("\x80\x04\x95\x10 and so on"), "it is a Python pickle"));
  EXPECT_TRUE(contains(refusal_of("PK\x03\x04 and so on"), "it is a ZIP archive"));
  const std::string other("\x40\0\0\0\0\0\0\0{\"weights\":{\"dtype\":\"F32\"}}", 35);
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

}  // namespace
}  // namespace candor
