// SPDX-License-Identifier: MIT
// Every algorithm here halves its triangle and cuts the rectangular work between the halves into
// pieces whose shape depends on n alone: threads only decide who computes a piece, never what it
// is.
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/triangular.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace candor {
namespace {

using blas::Op;
using triangular::halfway;

// Tuned by bench/kernels on one thread: larger pieces cost nothing there but leave threads idle,
// smaller ones cost gemm speed.
constexpr Index undivided = 288;   // triangles up to this size are one piece
constexpr Index widest = 384;      // strip of a rectangle in one piece
constexpr Index multiple_of = 48;  // strip widths: a multiple of what the gemm kernels unroll

// A range of rows or columns.
struct Range {
  Index begin, size;
};

// 0 … size - 1 in as few ranges as possible, of one width but for the last.
std::vector<Range> strips(Index size) {
  const Index count = std::max<Index>(1, (size + widest - 1) / widest);
  const Index even = (size + count - 1) / count;
  const Index width = (even + multiple_of - 1) / multiple_of * multiple_of;
  std::vector<Range> ranges;
  for (Index begin = 0; begin < size; begin += width)
    ranges.push_back({begin, std::min(width, size - begin)});
  return ranges;
}

void for_each_strip(Index size, Threads threads, const std::function<void(Range)>& body) {
  const auto ranges = strips(size);
  parallel_for(std::ssize(ranges), threads,
               [&](Index s) { body(ranges[static_cast<std::size_t>(s)]); });
}

// Lower triangle of C ← C + alpha op(A) op(A)ᵀ
void update_lower(double alpha, const MatrixRef& A, Op op, MatrixOut C, Threads threads) {
  const auto part = [&](Range r) -> MatrixRef {
    if (op == Op::none) return A.middleRows(r.begin, r.size);
    return A.middleCols(r.begin, r.size);
  };
  const Op other = op == Op::none ? Op::transpose : Op::none;
  std::vector<std::pair<Range, Range>> pieces;
  for (const Range i : strips(C.rows()))
    for (const Range j : strips(C.rows()))
      if (j.begin <= i.begin) pieces.emplace_back(i, j);
  // The half-size pieces on the diagonal come last, to even out who finishes when.
  std::stable_partition(pieces.begin(), pieces.end(),
                        [](const auto& p) { return p.first.begin != p.second.begin; });
  parallel_for(std::ssize(pieces), threads, [&](Index p) {
    const auto [i, j] = pieces[static_cast<std::size_t>(p)];
    MatrixOut C_ij = C.block(i.begin, j.begin, i.size, j.size);
    if (i.begin == j.begin) return blas::syrk(alpha, part(i), op, 1.0, C_ij);
    blas::gemm(alpha, part(i), op, part(j), other, 1.0, C_ij);
  });
}

// The four quarters of a triangle.
struct Halves {
  explicit Halves(MatrixOut A)
      : h(halfway(A.rows())),
        A11(A.topLeftCorner(h, h)),
        A21(A.bottomLeftCorner(A.rows() - h, h)),
        A22(A.bottomRightCorner(A.rows() - h, A.rows() - h)) {}
  Index h;
  MatrixOut A11, A21, A22;
};

// The triangles that halving yields, by level: those of one level are independent of each other.
void collect(MatrixOut L, std::size_t level, std::vector<std::vector<Halves>>& levels,
             std::vector<MatrixOut>& leaves) {
  if (L.rows() <= undivided) {
    leaves.push_back(L);
    return;
  }
  if (levels.size() <= level) levels.resize(level + 1);
  const Halves halves(L);
  levels[level].push_back(halves);
  collect(halves.A11, level + 1, levels, leaves);
  collect(halves.A22, level + 1, levels, leaves);
}

// L21 ← -M22 L21 M11 where A11 and A22 already hold the inverses M11 and M22.
void invert_between(std::vector<Halves>& level, Threads threads) {
  std::vector<std::pair<Halves*, Range>> by_rows, by_columns;
  for (Halves& M : level) {
    for (const Range r : strips(M.A21.rows())) by_rows.emplace_back(&M, r);
    for (const Range r : strips(M.A21.cols())) by_columns.emplace_back(&M, r);
  }
  parallel_for(std::ssize(by_rows), threads, [&](Index p) {
    const auto [M, r] = by_rows[static_cast<std::size_t>(p)];
    triangular::multiply_right_negated(M->A11, M->A21.middleRows(r.begin, r.size));
  });
  parallel_for(std::ssize(by_columns), threads, [&](Index p) {
    const auto [M, r] = by_columns[static_cast<std::size_t>(p)];
    triangular::multiply_left(M->A22, Op::none, M->A21.middleCols(r.begin, r.size));
  });
}

}  // namespace

// A11 = L11 L11ᵀ,  L21 = A21 L11⁻ᵀ,  A22 - L21 L21ᵀ = L22 L22ᵀ
bool cholesky_in_place(MatrixOut A, Threads threads) {
  if (A.rows() <= undivided) return triangular::factor(A);
  Halves L(A);
  if (!cholesky_in_place(L.A11, threads)) return false;
  for_each_strip(L.A21.rows(), threads, [&](Range rows) {
    triangular::solve_right_transposed(L.A11, L.A21.middleRows(rows.begin, rows.size));
  });
  update_lower(-1.0, L.A21, Op::none, L.A22, threads);
  return cholesky_in_place(L.A22, threads);
}

// [L11 0; L21 L22]⁻¹ = [M11 0; -M22 L21 M11  M22], from the smallest triangles up.
void invert_lower_in_place(MatrixOut L, Threads threads) {
  std::vector<std::vector<Halves>> levels;
  std::vector<MatrixOut> leaves;
  collect(L, 0, levels, leaves);
  parallel_for(std::ssize(leaves), threads,
               [&](Index i) { triangular::invert(leaves[static_cast<std::size_t>(i)]); });
  std::reverse(levels.begin(), levels.end());
  for (std::vector<Halves>& level : levels) invert_between(level, threads);
}

void solve_lower_in_place(const MatrixRef& L, Op op, MatrixOut B) {
  triangular::solve_left(L, op, B);
}

// [M11 0; M21 M22]ᵀ[M11 0; M21 M22] = [M11ᵀM11 + M21ᵀM21  ·; M22ᵀM21  M22ᵀM22]
void gram_of_lower_in_place(MatrixOut M_in, Threads threads) {
  if (M_in.rows() <= undivided) return blas::lauum(M_in);
  Halves M(M_in);
  gram_of_lower_in_place(M.A11, threads);
  update_lower(1.0, M.A21, Op::transpose, M.A11, threads);
  for_each_strip(M.A21.cols(), threads, [&](Range columns) {
    triangular::multiply_left(M.A22, Op::transpose, M.A21.middleCols(columns.begin, columns.size));
  });
  gram_of_lower_in_place(M.A22, threads);
}

JitteredCholesky jittered_cholesky(const MatrixRef& A, Threads threads) {
  constexpr std::array jitters{0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8};
  const double scale = A.rows() > 0 ? A.diagonal().mean() : 0.0;
  Matrix L;
  for (const double jitter : jitters) {
    L = A.triangularView<Eigen::Lower>();
    L.diagonal().array() += jitter * scale;
    if (cholesky_in_place(L, threads)) return {std::move(L), jitter};
  }
  throw NumericalError("matrix of size " + std::to_string(A.rows()) +
                       " is not positive definite, not even with 1e-8 of its mean diagonal added");
}

}  // namespace candor
