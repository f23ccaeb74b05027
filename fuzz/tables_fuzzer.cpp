// SPDX-License-Identifier: MIT
// Any bytes as a table, from text to matrix: a result or a TableError, nothing else.  Replacing no
// cell gives back the same text, and encoding twice the same matrix.
//
// The first byte says what the file would be called: 0 t.csv, 1 t.tsv, and so on.
#include <candor/data/read_table.hpp>
#include <candor/data/replace_cells.hpp>
#include <candor/data/table_error.hpp>
#include <candor/linalg/with_means.hpp>
#include <candor/model/fit.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;  // also after unpacking

void check_writing(const candor::Table& table) {
  if (candor::replace_cells(table, {}) != table.text()) std::abort();
}

void walk(std::string bytes, const std::string& name) {
  const candor::Table table = candor::read_table(
      candor::make_source(std::move(bytes), name, most_bytes), {.byte_limit = most_bytes});
  check_writing(table);
  if (table.columns() == 0) return;
  const candor::Schema schema =
      candor::infer_schema(table, {.label = table.name(table.columns() - 1)});
  const candor::Prepared prepared = candor::prepare(table, schema);
  const candor::Matrix& X = prepared.inputs.X;
  const candor::Matrix again = candor::encode(prepared.encoder, table).X;
  if (X.array().isInf().any()) std::abort();  // NaN: not known
  if ((X.array().isNaN() != again.array().isNaN()).any()) std::abort();
  if (candor::with_means(X) != candor::with_means(again)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array names{"t.csv", "t.tsv", "t.arff", "t.libsvm", "t"};
  try {
    walk(std::string(data + 1, data + size),
         names[static_cast<std::size_t>(data[0] - 0x30) % names.size()]);
  } catch (const candor::TableError&) {
    // one sentence for a person
  }
  return 0;
}
