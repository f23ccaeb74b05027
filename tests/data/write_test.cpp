// SPDX-License-Identifier: MIT
#include <candor/data/write.hpp>

#include "table_text.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace candor {
namespace {

namespace fs = std::filesystem;
using namespace testing_data;

// An empty folder of its own for every test.
class Write : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "candor-write-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

 private:
  fs::path folder_;
};

TEST_F(Write, MakesAndReplacesFilesAndLeavesNothingElse) {
  write_atomically(path("t.csv"), "one\r\n");
  EXPECT_EQ(read(path("t.csv")), "one\r\n");
  write_atomically(path("t.csv"), "two");
  EXPECT_EQ(read(path("t.csv")), "two");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Write, KeepsPermissionsAndFollowsLinks) {
  write_atomically(path("t.csv"), "one");
  fs::permissions(path("t.csv"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("t.csv", path("link.csv"));
  write_atomically(path("link.csv"), "two");
  EXPECT_TRUE(fs::is_symlink(path("link.csv")));
  EXPECT_EQ(read(path("t.csv")), "two");
  EXPECT_EQ(fs::status(path("t.csv")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Write, SaysWhyItCannot) {
  EXPECT_TRUE(mentions(refusal([&] { write_atomically(path(""), "x"); }), "this is a folder"));
  EXPECT_TRUE(mentions(refusal([&] { write_atomically(path("no/t.csv"), "x"); }), "No such file"));
  EXPECT_TRUE(mentions(refusal([] { write_atomically("", "x"); }), "empty name"));
}

TEST_F(Write, RefusesAProtectedFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  write_atomically(path("t.csv"), "one");
  fs::permissions(path("t.csv"), fs::perms::owner_read);
  EXPECT_TRUE(
      mentions(refusal([&] { write_atomically(path("t.csv"), "two"); }), "Permission denied"));
  EXPECT_EQ(read(path("t.csv")), "one");
}

TEST_F(Write, WritesIntoDevicesInsteadOfReplacingThem) {
  write_atomically("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(QuoteCell, QuotesWhereItMust) {
  const Dialect comma;
  EXPECT_EQ(quote_cell("plain", comma), "plain");
  EXPECT_EQ(quote_cell("it's", comma), "it's");
  EXPECT_EQ(quote_cell("a,b", comma), "\"a,b\"");
  EXPECT_EQ(quote_cell("a;b", comma), "a;b");
  EXPECT_EQ(quote_cell("a\"b", comma), "\"a\"\"b\"");
  EXPECT_EQ(quote_cell("a\nb", comma), "\"a\nb\"");
  EXPECT_EQ(quote_cell(" a", comma), "\" a\"");
  EXPECT_EQ(quote_cell("plain", comma, true), "\"plain\"");
  EXPECT_EQ(quote_cell("", comma), "");
}

}  // namespace
}  // namespace candor
