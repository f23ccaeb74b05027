// SPDX-License-Identifier: MIT
// What is fitted to a table: everything it takes to predict new rows and to explain old ones, in
// plain values, so that a model file can hold it.
//
// Two classes are one question, "is it the second class?".  More are one question, "which class is
// it?" (joint), or one for each class, "is it this one?", whose answers are normalised
// (one-vs-rest).  A question is answered by an average of a few Gaussian processes
// (learning/ensemble.hpp).  Posteriors are rebuilt from their sites, the same
// way after fitting and after loading, so that both predict the same to the last bit.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/data/encoding.hpp>
#include <candor/learning/label_errors.hpp>
#include <candor/learning/rate_posterior.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace candor {

// One Gaussian process of the average.
struct Process {
  std::string name;     // of its line in the evidence table
  double weight = 0.0;  // all weights of a question sum to 1
  Covariance covariance;
  Likelihood likelihood;
  // One per training row, for one unit of its weight; of a joint question as in Approximation.
  Vector site_tau, site_nu;
  Matrix confusion{};  // of a joint question, as in Observations; empty: as the likelihood says
};

// One line of the evidence table.
struct EvidenceRow {
  std::string name;    // "robust, shared lengthscale"
  std::string family;  // of covariances: "shared lengthscale"
  LabelErrors errors = LabelErrors::none;
  double log_evidence = 0.0;    // at the optimum
  double log_integrated = 0.0;  // hyperparameters integrated out
  double probability = 0.0;     // among the candidates
  std::string covariance;       // as text, with its learned numbers
  bool converged = false;
  int evaluations = 0;
  int sweeps = 0;
};

inline constexpr Index every_class = -1;

struct Question {
  Index positive_class = 1;  // the class that counts as +1; every_class: which class is it?
  std::vector<Process> processes;
  std::vector<EvidenceRow> evidence;
  // Of the best candidate with label errors; zero where none has an evidence.
  double rate = 0.0;  // share of wrong labels: posterior mean of ε, or of what two rates come to
  Interval rate_interval;  // 90 %
  // Nats for labels that depend on the columns over labels that do not.  Where they do not, no row
  // can be told from another, though a model with errors may explain such labels best.
  double signal = 0.0;
  // That labels depend on the columns and are wrong at the rate; by the weights that p_wrong is
  // averaged with.
  double p_label_errors = 0.0;
  Interval wrong_labels;  // 90 %, training rows, over models with and without label errors
  double margin = 0.0;    // nats for label errors over none; NaN unless both have an evidence
  // Per training row, averaged over the processes and over ε, times the probability of a signal.
  // Where one model alone was kept (Average::none), that of the best candidate with label errors
  // times p_label_errors, so that rows can be ranked whichever it was.  0 for trusted rows.
  Vector p_wrong;
  Vector p_clean_loo;  // per training row: probability of +1 before any flip, without its own label
  Matrix p_class_loo;  // n×C, of a joint question instead: of each class before any error
  // n×C, of a joint question: that the label is wrong and the class is this one, averaged over the
  // processes alone; 0 for the given class.  Empty in older files.
  Matrix p_instead;

  [[nodiscard]] bool is_joint() const { return positive_class == every_class; }
};

struct Provenance {
  std::string version;    // of Candor
  std::string source;     // name of the table, without its folder
  std::string data_hash;  // SHA-256 of the table's text, unpacked, as sha256sum prints it
  std::string options;    // the options that shaped the fit, as one line of JSON
  unsigned long long seed = 0;
};

struct Classifier {
  std::vector<std::string> classes;  // natural order
  std::string label_name;
  Encoder encoder;
  std::vector<Index> discrete;      // columns of X compared for equality
  Matrix X;                         // training rows, encoded: n×d
  std::vector<Index> row;           // the table's row of each, counted from 0
  std::vector<int> label;           // index into classes, of each
  Vector weight;                    // empty: all 1
  std::vector<bool> trusted;        // empty: none
  std::vector<Question> questions;  // one for two classes; else a joint one, or one per class
  bool interrupted = false;         // learning was cut short: candidates are missing
  Provenance provenance;

  [[nodiscard]] bool is_joint() const { return questions.size() == 1 && questions[0].is_joint(); }
  // Candidates of all questions whose search did not converge, but for those so improbable that
  // they have no say.
  [[nodiscard]] Index failed_searches() const;
  // Not interrupted, and no search failed.
  [[nodiscard]] bool converged() const;
};

// Classes from the answers to one question each, given that exactly one of them is right:
//   π_c ∝ p_c Π_{k≠c} (1 - p_k) ∝ p_c/(1 - p_c)
[[nodiscard]] Vector exactly_one(const Vector& p);

// Of odds, given by their logarithm.
[[nodiscard]] inline double probability_of(double nats) { return 1.0 / (1.0 + std::exp(-nats)); }

// Share of the training labels that answer yes, each weighted, as a new row's is expected from them
// alone: (k + 1)/(n + 2).
[[nodiscard]] double share_of_yes(const Classifier& classifier, const Question& question);
// Of each class, as a new row's is expected from the training labels alone: (k + 1)/(n + C).
[[nodiscard]] Vector class_shares(const Classifier& classifier);
// A probability of yes averaged over labels that depend on the columns, where it is p, and labels
// that do not, by the question's signal.
[[nodiscard]] inline double with_chance(double p, double signal, double share) {
  const double depends = probability_of(signal);
  return depends * p + (1.0 - depends) * share;
}

class KeptPosteriors;  // model/kept_posteriors.hpp

// Per new row.
struct ClassProbabilities {
  Matrix clean;                         // t×C: the class before any labelling error; rows sum to 1
  Matrix observed;                      // t×C: the class as it would be recorded; rows sum to 1
  Matrix latent_mean, latent_variance;  // t×questions, of a joint one t×C
};

// Columns of X_new are those of the encoder.  A label of more than two classes is recorded wrong by
// the confusion of each process, or as any other class alike; one-vs-rest with probability
// ε = ½ Σ_k ε_k, since every wrong label is wrong in two questions.  One n³/3 factorisation per process
// and memory of 2 n² doubles, jointly those of its class posterior; less often where `kept`, of the same
// classifier, has them.  InvalidInput for another number of columns or infinite entries.
[[nodiscard]] ClassProbabilities predict(const Classifier& classifier, const Matrix& X_new,
                                         Threads threads = Threads::all(),
                                         KeptPosteriors* kept = nullptr);

// The latent moments of predict alone, without the integrals of class probabilities where those are
// apart.
struct LatentMoments {
  Matrix mean, variance;  // t×questions, of a joint one t×C
};
[[nodiscard]] LatentMoments predict_latent(const Classifier& classifier, const Matrix& X_new,
                                           Threads threads = Threads::all(),
                                           KeptPosteriors* kept = nullptr);

}  // namespace candor
