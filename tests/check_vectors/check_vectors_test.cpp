// SPDX-License-Identifier: MIT
// The program under test is run as a user runs it; the path of its binary comes from the build.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path program = CHECK_VECTORS_PROGRAM;
const fs::path oracle = CHECK_VECTORS_ORACLE;

std::string content(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string quoted(const fs::path& path) { return fmt::format("'{}'", path.string()); }

struct Ended {
  int status = 0;
  std::string output;
};

class CheckVectors : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  [[nodiscard]] Ended run(const std::string& arguments) const {
    const fs::path log = folder / "log.txt";
    const std::string command =
        fmt::format("'{}' {} > '{}' 2>&1", program.string(), arguments, log.string());
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status)) << "ended by a signal: " << command;
    return {WEXITSTATUS(status), content(log)};
  }

  [[nodiscard]] Ended run_on(const std::string& text) const {
    const fs::path file = folder / "vector.json";
    std::ofstream(file) << text;
    return run(quoted(file));
  }
  [[nodiscard]] Ended run_on(const Json& json) const { return run_on(json.dump()); }

  const fs::path folder =
      fs::temp_directory_path() / ("check_vectors_" + std::to_string(std::random_device{}()));
};

Json stored(const std::string& name) { return Json::parse(content(oracle / (name + ".json"))); }

// Where the answers of a file stand: the expected object, or those of its first cases.
std::vector<Json::json_pointer> answers_of(const Json& json) {
  if (!json["expected"].contains("cases")) return {Json::json_pointer("/expected")};
  const std::string first = "/expected/cases/0";
  const Json& item = json[Json::json_pointer(first)];
  if (item.contains("expected")) return {Json::json_pointer(first + "/expected")};
  if (item.contains("expected_ep")) {
    return {Json::json_pointer(first + "/expected_ep"),
            Json::json_pointer(first + "/expected_exact")};
  }
  return {Json::json_pointer(first)};  // answers beside inputs
}

bool is_no_target(const std::string& key) {
  return key == "sampling_reference" || key == "exact_reference" || key == "hyp";
}

// Pointers to one number of every field below `at`.
void numbers_below(const Json& json, const Json::json_pointer& at,
                   std::vector<Json::json_pointer>& found) {
  const Json& value = json[at];
  if (value.is_number()) {
    found.push_back(at);
  } else if (value.is_array() && !value.empty()) {
    numbers_below(json, at / (value.size() - 1), found);
  } else if (value.is_object()) {
    for (const auto& item : value.items()) {
      if (!is_no_target(item.key())) numbers_below(json, at / item.key(), found);
    }
  }
}

// EP is exact for a single row, but not its predictions: those are shown, not checked.
bool is_only_shown(const Json::json_pointer& field) {
  const std::string text = field.to_string();
  return text.find("expected_exact/p_true_label_plus") != std::string::npos;
}

const std::vector<std::string> covered{"kernel_seed_mixed",
                                       "kernel_matern",
                                       "site_moments",
                                       "logistic_gaussian_integral",
                                       "ep_step_eps",
                                       "ring_outliers",
                                       "ep_hard",
                                       "ep_gradients",
                                       "laplace_logistic",
                                       "laplace_softmax",
                                       "exact_orthant",
                                       "emep_one_step",
                                       "rmgpc",
                                       "learning"};

TEST_F(CheckVectors, FailsWhenAnyExpectedNumberIsWrong) {
  for (const std::string& name : covered) {
    const Json json = stored(name);
    std::vector<Json::json_pointer> fields;
    for (const auto& answers : answers_of(json)) numbers_below(json, answers, fields);
    ASSERT_FALSE(fields.empty()) << name;
    for (const auto& field : fields) {
      if (is_only_shown(field)) continue;
      Json mutant = json;
      const double value = mutant[field].get<double>();
      mutant[field] =
          value + 1e-3 * std::abs(value) + 1e-4;  // far above any tolerance of the files
      const Ended ended = run_on(mutant);
      EXPECT_EQ(ended.status, 1) << name << field;
      EXPECT_NE(ended.output.find("FAIL"), std::string::npos) << name << field;
    }
  }
}

TEST_F(CheckVectors, RefusesATruncatedFileInOneSentence) {
  const std::string text = content(oracle / "ep_probit.json");
  for (const double share : {0.0, 0.1, 0.5, 0.9, 0.99}) {
    const auto length = static_cast<std::size_t>(share * static_cast<double>(text.size()));
    const Ended ended = run_on(text.substr(0, length));
    EXPECT_EQ(ended.status, 2) << length;
    EXPECT_NE(ended.output.find("vector.json: the file is not JSON"), std::string::npos)
        << ended.output;
  }
}

TEST_F(CheckVectors, RefusesAFileWithoutAKeyThatTheSchemaDemands) {
  for (const char* key :
       {"name", "kind", "schema", "inputs", "settings", "expected", "tolerance"}) {
    Json json = stored("ep_probit");
    json.erase(key);
    const Ended ended = run_on(json);
    EXPECT_EQ(ended.status, 2) << key;
    EXPECT_NE(ended.output.find(std::string(key) + " is missing"), std::string::npos)
        << ended.output;
  }
}

TEST_F(CheckVectors, RefusesWrongTypesShapesAndValues) {
  const std::vector<std::pair<std::string, Json>> replacements{{"/inputs/X", "text"},
                                                               {"/inputs/X/3", Json::array({1.0})},
                                                               {"/inputs/X/2/1", nullptr},
                                                               {"/inputs/y", Json::array({1, -1})},
                                                               {"/inputs/y/0", 2},
                                                               {"/settings/hyp/kind", "cosine"},
                                                               {"/settings/hyp/l", 3.0},
                                                               {"/settings/hyp/v0", -1.0},
                                                               {"/settings/hyp/v2", -1.0},
                                                               {"/settings/eps", 0.5},
                                                               {"/expected/z", Json::array()},
                                                               {"/expected/log_evidence", "low"},
                                                               {"/tolerance/default/abs", -1},
                                                               {"/schema", 2},
                                                               {"/kind", "epp"},
                                                               {"/expected", Json::array()}};
  for (const auto& [place, value] : replacements) {
    Json json = stored("ep_probit");
    json[Json::json_pointer(place)] = value;
    const Ended ended = run_on(json);
    EXPECT_EQ(ended.status, 2) << place << '\n' << ended.output;
    EXPECT_NE(ended.output.find(": it must be "), std::string::npos) << place << '\n'
                                                                     << ended.output;
  }
}

TEST_F(CheckVectors, RefusesPathsThatHoldNoVector) {
  EXPECT_EQ(run("").status, 2);
  EXPECT_EQ(run(quoted(folder / "nowhere.json")).status, 2);
  fs::create_directories(folder / "empty");
  EXPECT_EQ(run(quoted(folder / "empty")).status, 2);
}

TEST_F(CheckVectors, RefusesWhatIsNotARegularFileInOneSentence) {
  fs::create_symlink("circle.json", folder / "circle.json");
  fs::create_symlink("nowhere.json", folder / "dangling.json");
  ASSERT_EQ(mkfifo((folder / "pipe.json").c_str(), S_IRUSR | S_IWUSR), 0);
  for (const char* name : {"circle.json", "dangling.json", "pipe.json"}) {
    const Ended ended = run(quoted(folder / name));
    EXPECT_EQ(ended.status, 2) << name;
    EXPECT_NE(ended.output.find(std::string(name) + ": "), std::string::npos) << ended.output;
  }
  const Ended ended = run(quoted(folder));
  EXPECT_EQ(ended.status, 2);
  for (const char* name : {"circle.json: ", "dangling.json: ", "pipe.json: "})
    EXPECT_NE(ended.output.find(name), std::string::npos) << ended.output;
}

TEST_F(CheckVectors, TellsItsUsage) {
  const Ended ended = run("--help");
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("check_vectors tests/oracle"), std::string::npos) << ended.output;
}

TEST_F(CheckVectors, FailsWhenItsReportCannotBeWritten) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const std::string command = fmt::format("'{}' '{}' > /dev/full 2> /dev/null", program.string(),
                                          (oracle / "ep_probit.json").string());
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST_F(CheckVectors, SurvivesAnyLostByte) {
  const std::string text = content(oracle / "laplace_probit.json");
  const unsigned seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    std::string damaged = text;
    damaged.erase(random() % text.size(), 1);
    EXPECT_LE(run_on(damaged).status, 2) << "trial " << trial;
  }
}

TEST_F(CheckVectors, ListsWhatItDoesNotCover) {
  Json json = stored("ep_probit");
  json["expected"]["prediction"]["p_of_rain"] = {0.1, 0.2};
  const Ended ended = run_on(json);
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("prediction.p_of_rain"), std::string::npos);
  EXPECT_NE(ended.output.find("1 not covered"), std::string::npos);
}

TEST_F(CheckVectors, AppliesTolerancesToNestedFieldsByName) {
  Json json = stored("ep_probit");
  json["expected"]["noise_free_latent"]["site_tau"][0] =
      json["expected"]["noise_free_latent"]["site_tau"][0].get<double>() + 1e-3;
  EXPECT_EQ(run_on(json).status, 1);
  json["tolerance"]["site_tau"] = {{"abs", 1e-2}, {"rel", 0.0}};
  EXPECT_EQ(run_on(json).status, 0);
  json["tolerance"].erase("site_tau");
  json["tolerance"]["noise_free_latent"] = {{"abs", 1e-2}, {"rel", 0.0}};
  EXPECT_EQ(run_on(json).status, 0);
}

TEST_F(CheckVectors, TakesSeveralProblemsInAFileOfAnyKind) {
  const Json single = stored("ep_probit");
  Json item{{"expected", single["expected"]}};
  item.update(single["inputs"]);
  item.update(single["settings"]);
  Json json = single;
  json["inputs"] = Json::object();
  json["settings"] = Json::object();
  json["expected"] = {{"cases", {item, item}}};
  const Ended ended = run_on(json);
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_NE(ended.output.find("vector[1]"), std::string::npos);
}

}  // namespace
