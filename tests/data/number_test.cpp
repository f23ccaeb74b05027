// SPDX-License-Identifier: MIT
#include <candor/data/date.hpp>
#include <candor/data/number.hpp>
#include <candor/data/table_error.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace candor {
namespace {

TEST(Number, ReadsPlainExponentSignAndBlanks) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number(" -1.5e-3 "), -1.5e-3);
  EXPECT_EQ(parse_number("+7"), 7.0);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("02208"), 2208.0);
  EXPECT_EQ(parse_number("1E5"), 1e5);
}

TEST(Number, RefusesWhatIsNoFiniteNumber) {
  for (const char* text :
       {"",     " ",     "inf", "-inf", "nan", "Infinity", "1e999", "-1e999", "0x10", "1e",
        "3.0M", "$4.99", "45%", "1 2",  "--1", "+-1",      "1,5",   "1_000",  "e5",   "."})
    EXPECT_FALSE(parse_number(text)) << text;
}

TEST(Number, TakesWhatIsTooSmallForZero) {
  EXPECT_EQ(parse_number("1e-999"), 0.0);
  EXPECT_TRUE(std::signbit(*parse_number("-1e-999")));
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_FALSE(parse_number("1" + std::string(400, '0')));
  EXPECT_FALSE(parse_number("1" + std::string(400, '0') + "e-5"));
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1e+5"), 0.0);
  EXPECT_EQ(parse_number("-0." + std::string(400, '0') + "1e390"), -1e-11);
  EXPECT_EQ(parse_number("1e-99999999999999999999"), 0.0);
  EXPECT_FALSE(parse_number("1e99999999999999999999"));
}

TEST(Number, ReadsDecimalCommasAndThousands) {
  EXPECT_EQ(parse_number("1,5", NumberStyle::decimal_comma), 1.5);
  EXPECT_EQ(parse_number("-1,5e3", NumberStyle::decimal_comma), -1500.0);
  EXPECT_FALSE(parse_number("1.000,5", NumberStyle::decimal_comma));
  EXPECT_FALSE(parse_number("1,5,2", NumberStyle::decimal_comma));
  EXPECT_EQ(parse_number("1,234,567.5", NumberStyle::thousands_comma), 1234567.5);
  EXPECT_EQ(parse_number("-12,000", NumberStyle::thousands_comma), -12000.0);
  EXPECT_EQ(parse_number("999", NumberStyle::thousands_comma), 999.0);
  for (const char* text : {"1,23", "1234,567", ",123", "1,2345", "1,,234", "1,234,"})
    EXPECT_FALSE(parse_number(text, NumberStyle::thousands_comma)) << text;
}

TEST(Number, EveryFiniteDoubleComesBackExactly) {
  const unsigned seed = 20240501;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const auto back = parse_number(format_number(value));
    ASSERT_TRUE(back) << format_number(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value));
  }
}

TEST(Number, StylesHaveNamesThatReadBack) {
  for (const NumberStyle style :
       {NumberStyle::plain, NumberStyle::decimal_comma, NumberStyle::thousands_comma})
    EXPECT_EQ(number_style_from(to_string(style)), style);
  EXPECT_THROW(static_cast<void>(number_style_from("roman")), TableError);
}

TEST(Date, KnowsIsoAmericanEuropeanAndNamedDates) {
  for (const char* text :
       {"2024-01-31", "2024/1/3", "2024-01-31T10:00:00Z", "2024-01-31 10:00", "20/01/10",
        "1/31/2024", "31.12.99", "11/11/07", "July 24, 2018", "24 Jul 2018", "24-Jul-18", "1:55:04",
        "10:30 PM", "2024-01-31 10:00:00.123+01:00"})
    EXPECT_TRUE(is_date(text)) << text;
}

TEST(Date, LeavesNumbersBinsVersionsAndCodesAlone) {
  for (const char* text :
       {"2024", "40-49", "1969/70", "5.2.1", "1Jan", "10-14", "20240131", "5.0 and up", "", "May",
        "32/13/2024", "2024-13-01", "25:00:00", "1.5", "march on rome"})
    EXPECT_FALSE(is_date(text)) << text;
}

}  // namespace
}  // namespace candor
