// SPDX-License-Identifier: MIT
#include <candor/data/source.hpp>

#include "table_text.hpp"

#include <zlib.h>

namespace candor {
namespace {

using testing_data::mentions;
using testing_data::refusal;
using namespace std::string_literals;

// One gzip member, made by zlib itself.
std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string refused(const std::string& bytes, const std::string& name = "t.csv",
                    std::size_t limit = default_byte_limit) {
  return refusal([&] { return make_source(bytes, name, limit); });
}

TEST(Source, KeepsPlainTextAsItIs) {
  const Source source = make_source("a,b\n1,2\n", "t.csv");
  EXPECT_EQ(source.text, "a,b\n1,2\n");
  EXPECT_FALSE(source.byte_order_mark);
  EXPECT_FALSE(source.compressed);
}

TEST(Source, UnpacksGzipByItsContentWhateverTheName) {
  const Source source = make_source(gzip("a,b\n1,2\n"), "t.csv");
  EXPECT_EQ(source.text, "a,b\n1,2\n");
  EXPECT_TRUE(source.compressed);
}

TEST(Source, UnpacksSeveralMembersAndIgnoresPadding) {
  EXPECT_EQ(make_source(gzip("a,b\n") + gzip("1,2\n") + "\0\0\0"s, "t").text, "a,b\n1,2\n");
}

TEST(Source, RefusesGzipThatEndsTooEarlyAtEveryByte) {
  const std::string whole = gzip("a,b\n1,2\n3,4\n");
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_TRUE(mentions(refused(whole.substr(0, size)), "ends too early")) << size;
}

TEST(Source, RefusesDamagedGzip) {
  std::string bytes = gzip("a,b\n1,2\n3,4\n");
  bytes[bytes.size() - 6] ^= 1;  // the checksum
  EXPECT_TRUE(mentions(refused(bytes), "damaged"));
  EXPECT_TRUE(mentions(refused(gzip("a,b\n") + "rubbish"), "after the end"));
}

TEST(Source, StopsUnpackingAtTheLimit) {
  const std::string bomb = gzip(std::string(5'000'000, 'a'));
  EXPECT_LT(bomb.size(), 100'000U);
  EXPECT_TRUE(mentions(refused(bomb, "t.csv", 1'000'000), "larger than the limit of 1000000"));
  EXPECT_TRUE(mentions(refused("a,b\n1,2\n", "t.csv", 3), "give a part of its rows"));
}

TEST(Source, RemembersTheByteOrderMark) {
  EXPECT_TRUE(make_source("\xEF\xBB\xBF"
                          "a,b\n1,2\n",
                          "t")
                  .byte_order_mark);
}

TEST(Source, NamesLatin1WithLineColumnAndTheCommandToRun) {
  const std::string sentence = refused("name,x\nA\xC3\xB1o,1\nA\xF1o,2\n", "data/my file.csv");
  EXPECT_TRUE(mentions(sentence, "line 3, column 2: byte 0xF1")) << sentence;
  EXPECT_TRUE(mentions(sentence, "Latin-1")) << sentence;
  EXPECT_TRUE(mentions(sentence,
                       "iconv -f ISO-8859-1 -t UTF-8 'data/my file.csv' > 'data/my file.utf8.csv'"))
      << sentence;
}

TEST(Source, CountsLinesThatEndInCarriageReturns) {
  EXPECT_TRUE(mentions(refused("a,b\r1,2\rx\xE9,3\r"), "line 3, column 2"));
  EXPECT_TRUE(mentions(refused("a,b\r\n1,2\r\nx\xE9,3\r\n"), "line 3, column 2"));
}

TEST(Source, TellsWindows1252FromLatin1ByItsCurlyQuotes) {
  EXPECT_TRUE(mentions(refused("a,b\n\x93hi\x94,2\n"), "Windows-1252"));
}

TEST(Source, NamesUtf16AndUtf32ByTheirMarksAndWithout) {
  EXPECT_TRUE(mentions(refused("\xFF\xFE"
                               "a\0,\0"s),
                       "UTF-16LE"));
  EXPECT_TRUE(mentions(refused("\xFE\xFF\0a\0,"s), "UTF-16BE"));
  EXPECT_TRUE(mentions(refused("\xFF\xFE\0\0a\0\0\0"s), "UTF-32LE"));
  EXPECT_TRUE(mentions(refused("a\0,\0b\0\n\0"s), "UTF-16LE without"));
}

TEST(Source, RefusesNulBytesAndBinaryFiles) {
  EXPECT_TRUE(mentions(refused("a,b,c,d\n1,2,3,\0\n"s), "line 2, column 7 holds a NUL byte"));
  EXPECT_TRUE(mentions(refused("PK\x03\x04\0\0"s), "spreadsheet"));
  EXPECT_TRUE(mentions(refused("PAR1\0\0\0"s), "Parquet"));
}

TEST(Source, RefusesOverlongFormsSurrogatesAndCutCharacters) {
  for (const std::string bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"})
    EXPECT_TRUE(mentions(refused("a,b\n" + bad), "is not UTF-8"));
  for (const std::string good :
       {"\xC2\xA0", "\xE2\x82\xAC", "\xF0\x9F\x90\xA7", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(make_source(good, "t").text, good);
}

TEST(Source, SaysWhyAFileCannotBeRead) {
  EXPECT_TRUE(mentions(refusal([] { return read_source("no/such/file.csv"); }), "No such file"));
  EXPECT_TRUE(mentions(refusal([] { return read_source("tests"); }), "this is a folder"));
}

}  // namespace
}  // namespace candor
