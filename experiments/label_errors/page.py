#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/label_errors.md and its picture from what run.py measured.

    experiments/label_errors/page.py label_errors.jsonl …

What rankings.py and overlap.py wrote, and run.py of more rows, is taken from label_error_rankings.jsonl, label_error_overlap.jsonl and
label_error_more_rows.jsonl beside the first of them, if they are there.  Of lines for the same draw and method the last one counts.
"""
import argparse
import pathlib

import numpy as np

from comparison import (CHANCE, DUELS, FALSE_FLAGS, KINDS_OF_ERRORS, MEASURES, OURS, REGULAR, bold_if, by_setting, chance, compared, draws_said,
                        false_flags, gain, gains_by_kind, listed, measured, measured_again, more_is_better, of_candor, ranks, revisions_said, table, with_errors)
from losses import lost, more_rows_said, overlap_said, rankings_said
from methods import METHODS
from defaults import TABLES as TUNED_FILES  # of scripts, which `tables` finds

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPLIT_BY = ("average_precision", "brier", "log_loss", "false_flags")
TUNED = {file.split(".")[0] for file in TUNED_FILES}
LOOKED_AT = 3  # draws of every table, before decisions 14 to 17
MISSING_CELLS = ("breast_cancer_original", "pima_missing", "titanic")  # all draws of them, before decision 20
RELATED = (("breast_cancer_original", "breast_cancer_wdbc"), ("mnist70k_pca50", "mnist_test_verified"), ("pima", "pima_missing"),
           ("usps", "usps_3v5"))


def rank_rows(frame):
    average = {m: ranks(frame, m).mean() for m in MEASURES}
    flags = false_flags(frame)
    seconds = frame.groupby("method")["seconds"].agg(["median", "mean", "max"])
    for method in METHODS:
        yield [method, *[bold_if(r[method], r.min()) for r in average.values()], f"{flags.get(method, np.nan):.1f}",
               " / ".join(f"{s:.1f}" for s in seconds.loc[method])]


def first_said(frame):
    average = {DUELS[m][0]: ranks(frame, m).mean() for m in MEASURES} | {FALSE_FLAGS["false_flags"][0]: false_flags(frame)}
    behind = [f"{name} ({of.idxmin()} is)" for name, of in average.items() if len(of) and of[OURS] > of.min()]
    return f"Candor is first in {'every column but the seconds' if not behind else 'all columns but the seconds and ' + listed(behind)}."


def splits(frame):
    """Draws that Candor was chosen by, and others, with a name for each part."""
    tuned, new = frame["table"].isin(TUNED), frame["seed"] > LOOKED_AT
    seeds = f"draws {LOOKED_AT + 1} to {frame['seed'].max()}"
    later = [name for name in MISSING_CELLS if name not in TUNED]
    parts = {"all": frame, "settings with errors": with_errors(frame), f"{seeds}, after those looked at": frame[new],
             "tables of defaults.md": frame[tuned], "the other tables": frame[~tuned],
             f"the other tables but {listed(later)}, {seeds}": frame[new & ~tuned & ~frame["table"].isin(later)]}
    return {name: of for name, of in parts.items() if len(of)}


def split_said(frame):
    """Average ranks of Candor and of the best of the others, in parts of the draws; where it is not ahead, and where hardly."""
    rows, behind, close = [], [], []
    for part, of in splits(frame).items():
        cells = []
        for measure in SPLIT_BY:
            average = false_flags(of) if measure == "false_flags" else ranks(of, measure).mean()
            if average.get(OURS, np.nan) != average.get(OURS, np.nan):
                cells.append("–")
                continue
            ours, best = average[OURS], average.drop(OURS).min()
            digits = 1 if measure == "false_flags" else 2
            cells.append(f"{ours:.{digits}f} : {best:.{digits}f}")
            where = f"{DUELS[measure][0]} ({part})"
            if ours >= best:
                behind.append(where)
            elif measure != "false_flags" and best - ours < 0.1:
                close.append(where)
        rows.append([part, of["table"].nunique(), *cells])
    said = f"Candor is {'ahead in all of these' if not behind else 'not ahead in ' + listed(behind)}"
    said += f"; by less than a tenth of a rank in {listed(close)}." if close else "."
    return ["### What Candor was chosen by, and what not", "",
            "Candor : the best of the others, average ranks and false flags per 1000. Draws of one table share rows.", "",
            *table(["", "tables", *[DUELS[m][0] for m in SPLIT_BY]], rows), said, ""]


def duel_gains(frame, measures):
    """By measure and other method: false flags of tables without errors, all else of those with errors."""
    return {m: {other: gain(frame if m in FALSE_FLAGS else with_errors(frame), m, other) for other in METHODS if other != OURS} for m in measures}


def duel_table(frame, measures):
    gains = duel_gains(frame, measures)
    return table(["", *[DUELS[m][0] + (", per 1000" if m in FALSE_FLAGS else "") for m in measures]],
                 [[other, *[compared(gains[m][other], 1 if m in FALSE_FLAGS else 4) for m in measures]] for other in METHODS if other != OURS])


def related_said(frame):
    """Tests take tables as independent; what changes where those which are not are one."""
    pairs = [pair for pair in RELATED if set(pair) <= set(frame["table"])]
    if not pairs:
        return "The tests take tables as independent."
    one = {second: first for first, second in pairs}
    gains = [(f"{DUELS[m][0]} against {other}", of) for m, duels in duel_gains(frame, DUELS).items() for other, of in duels.items()]
    changed = [name for name, of in gains if (chance(of) < CHANCE) != (chance(of.groupby(lambda t: one.get(t, t)).mean()) < CHANCE)]
    return (f"The tests take tables as independent, which {'; '.join(listed(pair) for pair in pairs)} are not: they share rows or a source. "
            f"Where each pair is one table, {len(changed) or 'none'} of the {len(gains)} tests above "
            f"{'gets' if len(changed) < 2 else 'get'} to the other side of p = {CHANCE}{': ' + listed(changed) if changed else ''}.")


def duels_by_kind(frame):
    for other in (m for m in METHODS if m != OURS):
        gains = gains_by_kind(frame, other)
        yield [other, *[compared(gains[kind], 3) if kind in gains else "–" for kind in KINDS_OF_ERRORS]]


def constants_said(frame):
    """Brier scores of two scores that look at no row."""
    settings = with_errors(frame[frame["method"] == OURS])
    rate = settings["wrong"] / settings["rows"]
    against = settings.assign(zero=rate, share=rate * (1.0 - rate)).groupby(["table", "errors"])[["brier", "zero", "share"]].mean()
    mean = against.mean()
    return (f"Two scores that look at no row are a measure of Brier scores: 0 for every row has {mean['zero']:.3f} on average over settings with "
            f"errors, the true share of wrong labels, which nobody knows, {mean['share']:.3f}, and Candor {mean['brier']:.3f}; it is worse than the "
            f"first in {(against['brier'] > against['zero']).sum()} of {len(against)} settings and than the second in "
            f"{(against['brier'] > against['share']).sum()}. Scores of the others are no probabilities of an error.")


def found_rows(frame):
    """Of the wrong labels, the share that a method points at, and of what it points at, the share that is wrong; all draws together."""
    of_errors = with_errors(frame)
    names = of_errors["errors"].where(of_errors["kind"] != "real", "real, " + of_errors["table"])
    sums = of_errors.groupby([names.rename("part"), "method"])[["wrong", "flagged", "flagged_wrong"]].sum()
    for part in sums.index.unique("part"):
        of = sums.loc[part]
        found, right = of["flagged_wrong"] / of["wrong"], of["flagged_wrong"] / of["flagged"]
        yield [part, *[f"{found[m]:.2f} / {right[m]:.2f}" if of["flagged"][m] else "0 / –" for m in METHODS]]


def silence(frame):
    """Draws in which Candor ranks and does not accuse, and how its model without label errors does there."""
    draw_of = ["table", "errors", "seed"]
    columns = ["flagged", "wrong", "rows", "brier", "average_precision"]
    ours, regular = (with_errors(frame[frame["method"] == m]).set_index(draw_of)[columns] for m in (OURS, REGULAR))
    silent = ours[ours["flagged"] == 0].join(regular[["brier", "average_precision"]].add_suffix("_regular"))
    if silent.empty:
        return []
    count = ours.groupby("errors").size()
    by_errors = silent.assign(share=silent["wrong"] / silent["rows"]).groupby("errors").mean()
    rows = [[errors, f"{(silent.index.get_level_values('errors') == errors).sum()} of {count[errors]}", f"{of['share']:.3f}",
             f"{of['brier']:.3f} / {of['brier_regular']:.3f}", f"{of['average_precision']:.3f} / {of['average_precision_regular']:.3f}"]
            for errors, of in by_errors.iterrows()]
    of_all, lower = silent.mean(), by_errors["brier"] < by_errors["brier_regular"]
    better = of_all["brier"] < of_all["brier_regular"]
    exceptions = by_errors.index[lower != better]
    said = (f"There {'`p_wrong`' if better else f'*{REGULAR}*'} has the better Brier score on average ({of_all['brier']:.3f} of `p_wrong`, which is "
            f"better in {100.0 * (silent['brier'] < silent['brier_regular']).mean():.0f} % of these draws, and {of_all['brier_regular']:.3f} of *{REGULAR}*), "
            f"{'not so with these errors: ' + '; '.join(exceptions) if len(exceptions) else 'and so with all kinds of errors'}.")
    return [f"In {len(silent)} of {len(ours)} draws with errors Candor points at no row: errors by class and at the boundary can look like a soft "
            f"boundary between the classes, which the model without label errors explains as well. {said} Means over these draws, Candor / *{REGULAR}*:",
            "", *table(["", "draws", "share of wrong labels", "Brier score", "average precision"], rows)]


def mean_rows(frame, measure, level):
    wide = by_setting(with_errors(frame), measure).groupby(level).mean()
    for name, values in wide.iterrows():
        best = values.max() if more_is_better(measure) else values.min()
        yield [name, *[f"**{v:.3f}**" if v == best else f"{v:.3f}" for v in values]]


def one_ranking(frame):
    """Methods by the first of those whose average precision is the same in every setting."""
    wide, groups = by_setting(with_errors(frame), "average_precision"), {}
    for method in METHODS:
        first = next((m for m in groups if wide[m].equals(wide[method])), method)
        groups.setdefault(first, []).append(method)
    return groups


def draw(frame, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    wide = by_setting(with_errors(frame), "average_precision").groupby("table").mean()
    wide = wide.sort_values(OURS)
    styles = {OURS: ("o", "#0072b2", 60), REGULAR: ("o", "#56b4e9", 24), "cleanlab, logistic": ("^", "#e69f00", 28),
              "cleanlab, forest": ("s", "#d55e00", 28), "cleanlab, boosting": ("v", "#cc79a7", 28), "SVC": ("D", "#009e73", 22),
              "forest": ("P", "#8c510a", 28), "predicted ≠ given": ("x", "0.45", 24)}
    figure, axes = plt.subplots(figsize=(7.5, 0.27 * len(wide) + 1.3))
    for first, same in one_ranking(frame).items():
        marker, colour, size = styles[first]
        axes.scatter(wide[first], range(len(wide)), marker=marker, s=size, color=colour, label=" / ".join(same), alpha=0.85, zorder=3)
    axes.set_yticks(range(len(wide)), wide.index)
    axes.set_xlabel("average precision of the ranking, mean over kinds, rates and seeds")
    axes.grid(axis="both", color="0.9")
    axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1.0), ncols=3, frameon=False, fontsize=8, handletextpad=0.2)
    axes.margins(y=0.01)
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def by_class_said(frame):
    """How many labels are wrong where 45 % of a class are fewer than what was asked for."""
    draws = frame[(frame["method"] == OURS) & (frame["kind"] == "by_class")]
    if draws.empty:
        return ""
    most = draws[draws["rate"] == draws["rate"].max()]
    share = 100.0 * most["wrong"] / most["rows"]
    return (f": where {100.0 * draws['rate'].max():g} % are asked for, {share.mean():.0f} % are wrong on average, {share.min():.1f} to "
            f"{share.max():.1f} % in single draws")


def real_said(frame):
    """Tables with real errors: how they are tested, and what is special about them."""
    real = frame[frame["kind"] == "real"]
    if real.empty:
        return []
    tested = real.groupby("table")["error"].apply(lambda e: e.notna().mean())
    with_test = [f"{name} (in {100.0 * share:.0f} % of the draws)" if share < 1.0 else name for name, share in tested.items() if share > 0.0]
    special = {"student_grades": "of student_grades a teacher on purpose",
               "colon_alon": "of colon_alon, whose 62 rows are the same in every draw, they are suspected, not proven",
               "mnist_test_verified": "of mnist_test_verified the known 15 of 10,000 are in every draw, many times their share, found by people "
                                      "among rows that cleanlab had picked"}
    said = "; ".join(text for name, text in special.items() if name in tested.index)
    return [f"Real errors, of {real['rows'].max()} rows at most, that people made{f' ({said})' if said else ''}. With a test of other rows, whose "
            f"right labels are known: {listed(with_test, 'no table')}; without one: {listed(tested.index[tested == 0.0], 'no table')}.", ""]


def again_said(again):
    """What changed where a draw was measured again by a later Candor: how far lines that do not say by which they are can be believed."""
    if again.empty:
        return ""
    said = []
    for measure in ("average_precision", "brier"):
        change = (again[measure] - again[f"{measure}_before"]).dropna()
        if change.empty:
            continue
        said.append(f"{MEASURES[measure][0]} by {change.mean():+.4f} on average, by more than 0.01 in {(change.abs() > 0.01).sum()} of {len(change)} "
                    f"(largest {change.loc[change.abs().idxmax()]:+.3f})")
    return f" {len(again)} are in place of older ones for the same draws, and changed {'; '.join(said) or 'neither average precision nor Brier score'}."


def same_said(frame):
    regular = ranks(with_errors(frame), "average_precision").mean()
    ahead = [m for m in METHODS if m not in (OURS, REGULAR) and regular[m] < regular[REGULAR]]
    same = [listed(f"*{name}*" for name in group) for group in one_ranking(frame).values() if len(group) > 1]
    return (f"*{REGULAR}* ranks by one minus its leave-one-out probability of the given label, and is in average precision "
            f"{'behind ' + listed(ahead) if ahead else 'ahead of all that follow'} (average rank). Scores of the others are one minus the "
            "out-of-fold probability of the given label (five folds)"
            + (f"; {'; '.join(same)} are one ranking, and differ in what they flag and in how they predict the test rows" if same else "") + ".")


def introduction(frame, again):
    ours = frame[frame["method"] == OURS]
    return [f"{frame['table'].nunique()} tables, {int(frame['drawn'].iloc[0])} rows drawn of each (or all, if fewer), a third of them kept as a "
            f"test with right labels where errors are planted, so that methods learn from {ours['rows'].max()} at most; {draws_said(frame)}", "",
            "Planted errors: uniform (any row, any other class), by class (half of the classes, always mistaken for the same other one, never more "
            f"than 45 % of them{by_class_said(frame)}), boundary (the rows that a forest which knows the truth finds hard, as the next class in line: "
            "the forests among the methods are of the same kind, which may work against them). Test log losses count probabilities below 0.001 as that.",
            "",
            *real_said(frame),
            "Candor as it is by default, one thread. It was not chosen blindly: its covariances and how they are averaged, by rankings and predictions "
            f"of {len(TUNED)} tables with planted errors, {len(TUNED & set(frame['table']))} of which are here ([defaults.md](defaults.md), "
            "[decision 5](decisions/0005-learning.md)); rates by class, their prior, and that errors are 19 times as probable as none beforehand, after "
            "a look at two draws of the tables here ([14](decisions/0014-rates-by-class.md), [15](decisions/0015-tables-have-errors.md)); that three "
            "classes learn which is taken for which, with what prior, and that more than a hundred columns share a lengthscale, after a look at three "
            "([16](decisions/0016-which-class-for-which.md), [17](decisions/0017-wide-tables.md)); what is done about missing numbers, with the "
            f"results of {listed(MISSING_CELLS)} at hand ([20](decisions/0020-unknown-numbers.md)). All these draws are counted; "
            "[a table below](#what-candor-was-chosen-by-and-what-not) takes them apart.", "",
            f"{revisions_said(of_candor(frame))}{again_said(again)} {int(ours['converged'].sum())} of {len(ours)} fits by default converged; the others are counted as they "
            "are.", "",
            same_said(frame), ""]


def page_of(frame, again, folder):
    lines = ["# Finding wrong labels: Candor and others", "",
             "Written by `experiments/label_errors/page.py`; do not edit. How to repeat it: [experiments/README.md](../experiments/README.md).",
             "", *introduction(frame, again), "## Average ranks", "",
             f"Of {len(METHODS)} methods in every setting in which the number is defined (without errors there is no average precision, AUROC "
             "or precision), 1 is best. Brier score and calibration error take every score as the probability that the label is wrong, which "
             "is what people do with it; only Candor's claims to be one. False flags: rows per 1000 that a method points at where every label "
             "is right. Seconds of CPU for a table: median / mean / most.", ""]
    lines += table(["", *[name for name, _ in MEASURES.values()], FALSE_FLAGS["false_flags"][0], "seconds"], rank_rows(frame))
    lines += [first_said(frame), "", *split_said(frame), "## Candor against each", "",
              "Tables won and lost, mean difference (above 0: Candor is better), two-sided Wilcoxon test over tables, each table one number. All but "
              "the false flags are of settings with errors.", ""]
    lines += duel_table(frame, ("average_precision", "brier", "log_loss"))
    lines += duel_table(frame, ("false_flags", "auroc", "precision_at_count", "calibration_error", "error"))
    lines += [related_said(frame), "", "By kind of errors, average precision:", ""]
    lines += table(["", *KINDS_OF_ERRORS], duels_by_kind(frame))
    lines += [constants_said(frame), ""]
    lines += ["## What is pointed at", "",
              "Share of the wrong labels that a method points at / share of what it points at that is wrong; real errors by table. Candor points where "
              "`p_wrong` is above ½, which a lower `--threshold` changes; cleanlab by its own rule; the others where another class is likelier. Whoever "
              "would rather look at more rows goes down the ranking.", ""]
    lines += table(["", *METHODS], found_rows(frame))
    lines += [*silence(frame), "## Where Candor loses", "", *lost(frame), *overlap_said(folder / "label_error_overlap.jsonl", frame),
              *rankings_said(folder / "label_error_rankings.jsonl", frame), *more_rows_said(folder / "label_error_more_rows.jsonl", frame)]
    lines += ["![Average precision by table](pictures/label_errors.png)", ""]
    for measure in ("average_precision", "brier"):
        name = MEASURES[measure][0]
        for level, by in (("errors", "kind and rate of errors"), ("table", "table")):
            lines += [f"## {name[0].upper()}{name[1:]} by {by}", ""] + table(["", *METHODS], mean_rows(frame, measure, level))
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "label_errors.md")
    parser.add_argument("--picture", type=pathlib.Path, default=ROOT / "docs" / "pictures" / "label_errors.png")
    options = parser.parse_args()
    frame = measured(options.results)
    options.page.write_text(page_of(frame, measured_again(options.results), options.results[0].parent), encoding="utf-8")
    draw(frame, options.picture)


if __name__ == "__main__":
    main()
