// SPDX-License-Identifier: MIT
// What every command that learns does first: read, prepare, say what it will cost, refuse what does
// not fit, and learn with a progress line that Ctrl-C can stop.
#pragma once

#include <apps/cli/exit_code.hpp>
#include <apps/cli/interrupt.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/model_options.hpp>
#include <apps/cli/table_options.hpp>

#include <candor/model/fit.hpp>

namespace candor::cli {

// What every such command is asked for.
struct LearningCommand {
  ReadingOptions reading;
  ColumnOptions columns;
  ModelOptions model;
  LimitOptions limits;
  Verbosity verbosity;
};

// With all that shaped the fit, for the model file.
[[nodiscard]] FitOptions fit_options(const LearningCommand& command);

struct Workload {
  Table table;
  Schema schema;
  Prepared prepared;
};

// Notes are said; a sample is taken where one was asked for.
[[nodiscard]] Workload load_workload(const LearningCommand& command, const Messages& messages);

// OverLimit, with advice, when it would take more than is free or than was allowed; says what it
// will take where that is worth a word.  Throws Cancelled when stopped before there was anything.
[[nodiscard]] Classifier fit_within_limits(const Workload& work, const FitOptions& options,
                                           const LimitOptions& limits, const Messages& messages,
                                           const Interruptible& interruptible);

// Where Ctrl-C or --max-time ended the fit, what the numbers are worth that came of it.
void say_what_cut_it_short(const Classifier& classifier, const Messages& messages,
                           const Interruptible& interruptible);

// "4.0 GB are free", "--max-time leaves 10 s": what such work would not keep to; empty where it
// would.
[[nodiscard]] std::string limit_exceeded(const Cost& cost, const LimitOptions& limits);

// Of a model whose probabilities are those of noise.
void note_missing_signal(const Classifier& classifier, const Messages& messages);

// OverLimit where so many n×n matrices do not fit into what is free; or a posterior of the model.
void check_memory(Index rows, double matrices);
void check_memory(const Classifier& classifier);

// How a command ends that has written what a model says; a warning where it did not converge.
[[nodiscard]] ExitCode ending_of(bool converged, const Messages& messages);

}  // namespace candor::cli
