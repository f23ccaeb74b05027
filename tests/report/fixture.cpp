// SPDX-License-Identifier: MIT
#include "fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace candor::cli {
namespace {

constexpr const char* class_names[] = {"normal", "hyper", "hypo", "unclear"};
constexpr const char* number_names[] = {"RT3U", "T4", "T3", "TSH", "DTSH"};

class Maker {
 public:
  explicit Maker(const Scenario& scenario)
      : scenario_(scenario), generator_(scenario.seed), made_(std::make_unique<MadeUp>()) {}

  std::unique_ptr<MadeUp> run() {
    made_->cell = scenario_.cell;
    name_things();
    draw_rows();
    write_schema();
    rank_rows();
    find_neighbours();
    sum_up();
    write_evidence();
    return std::move(made_);
  }

 private:
  std::string said(std::string text) const {
    return scenario_.cell.empty() ? std::move(text) : text + scenario_.cell;
  }
  double normal() { return std::normal_distribution<double>()(generator_); }
  double uniform() { return std::uniform_real_distribution<double>()(generator_); }

  void name_things() {
    Classifier& classifier = made_->classifier;
    for (int c = 0; c < scenario_.classes; ++c)
      classifier.classes.push_back(said(c < 4 ? class_names[c] : fmt::format("class {}", c + 1)));
    classifier.label_name = said("diagnosis");
    classifier.provenance = {.version = "0.1.0",
                             .source = said("thyroid.csv"),
                             .data_hash = "sha256:9f2c5a0e44d1",
                             .options = said(R"({"errors":["none","uniform"],"average":"models"})"),
                             .seed = scenario_.seed};
  }

  void draw_rows() {
    Classifier& classifier = made_->classifier;
    const Index n = scenario_.rows, d = scenario_.numbers + scenario_.categories;
    made_->centres =
        Matrix::NullaryExpr(scenario_.classes, scenario_.numbers, [&] { return 1.5 * normal(); });
    classifier.X.resize(n, d);
    for (Index i = 0; i < n; ++i) {
      const int c = static_cast<int>(std::pow(uniform(), 1.6) * scenario_.classes);
      for (Index j = 0; j < scenario_.numbers; ++j)
        classifier.X(i, j) = made_->centres(c, j) + 0.8 * normal();
      for (Index j = scenario_.numbers; j < d; ++j)
        classifier.X(i, j) = std::floor(3.0 * uniform());
      const bool wrong = uniform() < scenario_.rate;
      classifier.label.push_back(wrong ? (c + 1) % scenario_.classes : c);
      classifier.row.push_back(i);
    }
    for (Index j = 0; j < scenario_.categories; ++j)
      classifier.discrete.push_back(scenario_.numbers + j);
  }

  void write_schema() {
    std::vector<Column>& columns = made_->schema.columns;
    columns.push_back({.name = said("patient"),
                       .index = 0,
                       .kind = ColumnKind::identifier,
                       .role = ColumnRole::id,
                       .distinct = scenario_.rows});
    const Index d = made_->classifier.X.cols();
    for (Index j = 0; j < d; ++j) {
      const bool category = j >= scenario_.numbers;
      const std::string name = said(category ? fmt::format("group {}", j - scenario_.numbers + 1)
                                    : j < 5  ? number_names[j]
                                             : fmt::format("x{}", j + 1));
      columns.push_back({.name = name,
                         .index = j + 1,
                         .kind = category ? ColumnKind::category : ColumnKind::number,
                         .distinct = category ? 3 : scenario_.rows});
      ColumnEncoder encoder{.name = name, .category = category};
      if (category) encoder.levels = {"A", "B", "C"};
      encoder.center = 10.0 * static_cast<double>(j + 1);
      encoder.scale = 4.0;
      made_->classifier.encoder.columns.push_back(encoder);
    }
    columns.push_back({.name = said("visit"),
                       .index = d + 1,
                       .kind = ColumnKind::date,
                       .distinct = 40,
                       .note = "dates are not used"});
    columns.push_back({.name = made_->classifier.label_name,
                       .index = d + 2,
                       .kind = ColumnKind::category,
                       .role = ColumnRole::label,
                       .distinct = scenario_.classes});
    made_->schema.rows = scenario_.rows;
  }

  // p_wrong as in audit.hpp, with these probabilities and the planted rate.
  void rank_rows() {
    const Matrix P = made_->probability(made_->classifier.X);
    const double share = scenario_.rate / std::max(1, scenario_.classes - 1);
    for (Index i = 0; i < P.rows(); ++i) {
      const int given = made_->classifier.label[static_cast<std::size_t>(i)];
      Vector p = P.row(i).transpose() * share;
      p(given) = P(i, given) * (1.0 - scenario_.rate);
      p /= p.sum();
      Index suggested = 0;
      P.row(i).maxCoeff(&suggested);
      made_->audit.rows.push_back({.row = i,
                                   .given = given,
                                   .suggested = static_cast<int>(suggested),
                                   .p_wrong = 1.0 - p(given),
                                   .p_given = P(i, given),
                                   .novelty = 0.3 * uniform(),
                                   .neighbours = {}});
    }
    std::stable_sort(made_->audit.rows.begin(), made_->audit.rows.end(),
                     [](const auto& a, const auto& b) { return a.p_wrong > b.p_wrong; });
  }

  void find_neighbours() {
    const Matrix& X = made_->classifier.X;
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(scenario_.neighbours_for),
                                             made_->audit.rows.size());
    std::map<Index, double> p_wrong;
    for (const AuditedRow& row : made_->audit.rows) p_wrong[row.row] = row.p_wrong;
    for (std::size_t k = 0; k < count; ++k) {
      AuditedRow& row = made_->audit.rows[k];
      const Vector distance = (X.rowwise() - X.row(row.row)).rowwise().squaredNorm();
      std::vector<Index> order(static_cast<std::size_t>(X.rows()));
      std::iota(order.begin(), order.end(), Index{0});
      const auto last = order.begin() + std::min<Index>(4, X.rows());
      std::partial_sort(order.begin(), last, order.end(),
                        [&](Index a, Index b) { return distance(a) < distance(b); });
      write_cells(row.row);
      for (auto other = order.begin() + 1; other < last; ++other) {
        write_cells(*other);
        row.neighbours.push_back(
            {.row = *other,
             .label = made_->classifier.label[static_cast<std::size_t>(*other)],
             .similarity = std::exp(-0.1 * distance(*other)),
             .p_wrong = p_wrong[*other]});
      }
    }
  }

  void write_cells(Index row) {
    std::vector<std::string> cells{said(fmt::format("P-{:05}", 7 * row))};
    const Index d = made_->classifier.X.cols();
    for (Index j = 0; j < d; ++j) {
      const double x = made_->classifier.X(row, j);
      cells.push_back(
          said(j >= scenario_.numbers
                   ? std::string(1, "ABC"[static_cast<std::size_t>(x)])
                   : fmt::format("{:.1f}", 10.0 * static_cast<double>(j + 1) + 4.0 * x)));
    }
    cells.push_back(said(fmt::format("2024-{:02}-11", row % 12 + 1)));
    const int label = made_->classifier.label[static_cast<std::size_t>(row)];
    cells.push_back(made_->classifier.classes[static_cast<std::size_t>(label)]);
    if (scenario_.ids) made_->ids[row] = cells.front();
    made_->cells[row] = std::move(cells);
  }

  void sum_up() {
    Audit& audit = made_->audit;
    for (const AuditedRow& row : audit.rows) audit.expected_wrong += row.p_wrong;
    const double spread = 1.6 * std::sqrt(audit.expected_wrong + 0.5);
    const auto n = static_cast<double>(scenario_.rows);
    audit.wrong_labels = {std::max(0.0, audit.expected_wrong - spread),
                          audit.expected_wrong + spread};
    audit.rate = audit.expected_wrong / n;
    audit.rate_interval = {0.6 * audit.rate, 1.6 * audit.rate};
    audit.margin = scenario_.rate > 0.0 ? 0.35 * audit.expected_wrong + 2.0 : -2.4;
    audit.p_label_errors = 1.0 / (1.0 + std::exp(-audit.margin));
    audit.signal = 20.0;
    audit.labels_look_clean = audit.margin < 0.0;
    audit.converged = scenario_.converged;
    audit.verdict =
        said(audit.labels_look_clean
                 ? "The labels look clean: nothing suggests that any of them is wrong."
                 : fmt::format("About {:.0f} of {} labels look wrong ({:.1f} %).",
                               audit.expected_wrong, scenario_.rows, 100.0 * audit.rate));
  }

  void write_evidence() {
    const int questions = scenario_.classes == 2 ? 1 : scenario_.classes;
    for (int q = 0; q < questions; ++q) {
      Question question;
      question.positive_class = scenario_.classes == 2 ? 1 : q;
      const double margin = made_->audit.margin;
      const auto add = [&](const char* name, LabelErrors errors, double log_evidence, double p) {
        const std::string text = name;
        question.evidence.push_back(
            {.name = said(text),
             .family = text.substr(text.find(", ") + 2),
             .errors = errors,
             .log_evidence = log_evidence,
             .log_integrated = log_evidence - 3.1,
             .probability = p,
             .covariance = said("1.83 * matern52([0.91, 2.4, 3.3, 1.2, 5.1]) + 0.21 * constant"),
             .converged = scenario_.converged,
             .evaluations = 41 + q,
             .sweeps = 300});
      };
      add("regular, shared lengthscale", LabelErrors::none, -61.2 - margin, 0.0004);
      add("regular, a lengthscale per column", LabelErrors::none, -59.9 - margin, 0.0015);
      add("robust, shared lengthscale", LabelErrors::uniform, -61.0, 0.29);
      add("robust, a lengthscale per column", LabelErrors::uniform, -60.1, 0.71);
      question.rate = made_->audit.rate;
      question.rate_interval = made_->audit.rate_interval;
      question.margin = margin;
      made_->classifier.questions.push_back(std::move(question));
    }
  }

  Scenario scenario_;
  std::mt19937 generator_;
  std::unique_ptr<MadeUp> made_;
};

}  // namespace

Matrix MadeUp::probability(const Matrix& X) const {
  Matrix P(X.rows(), centres.rows());
  for (Index c = 0; c < centres.rows(); ++c)
    P.col(c) =
        (-0.7 * (X.leftCols(centres.cols()).rowwise() - centres.row(c)).rowwise().squaredNorm())
            .array()
            .exp() +
        1e-4;
  return P.array().colwise() / P.rowwise().sum().array();
}

ReportInput MadeUp::input() const {
  return {.table_name = "thyroid.csv" + cell,
          .command_line =
              "candor audit thyroid.csv --label diagnosis --id patient --report audit.html" + cell,
          .classifier = classifier,
          .audit = audit,
          .schema = schema,
          .id_name = ids.empty() ? "" : "patient" + cell,
          .ids = ids,
          .cells = cells,
          .notes = {"column visit: dates are not used" + cell}};
}

std::unique_ptr<MadeUp> make_up(const Scenario& scenario) { return Maker(scenario).run(); }

std::string report_of(const Scenario& scenario) {
  const auto made = make_up(scenario);
  return html_report(made->input(), [&](const Matrix& X) { return made->probability(X); });
}

}  // namespace candor::cli
