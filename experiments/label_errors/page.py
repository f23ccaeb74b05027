#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/label_errors.md and its picture from what run.py measured.

    experiments/label_errors/page.py label_errors.jsonl …

What rankings.py and overlap.py wrote, and run.py of more rows, is taken from label_error_rankings.jsonl, label_error_overlap.jsonl and
label_error_more_rows.jsonl beside the first of them, if they are there.
"""
import argparse
import pathlib

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from methods import METHODS
from rankings import CONTROLS
from tables import PLANTED, REAL

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OURS = "candor"
KINDS_OF_ERRORS = ("uniform", "by_class", "boundary", "real")
# Name, and whether more is better.
MEASURES = {
    "average_precision": ("average precision", True),
    "auroc": ("AUROC", True),
    "precision_at_count": ("precision at the true count", True),
    "brier": ("Brier score", False),
    "calibration_error": ("calibration error", False),
    "error": ("test error", False),
    "log_loss": ("test log loss", False),
}


def measured(paths):
    """What run.py wrote, packed or not, without cells that lack a method."""
    frame = pd.concat([pd.read_json(path, lines=True) for path in paths], ignore_index=True)
    frame["rate_text"] = [f"{100 * r:g} %" if r == r else "as it is" for r in frame["rate"]]
    cell = ["table", "kind", "rate", "seed"]
    count = frame.groupby(cell, dropna=False)["method"].transform("nunique")
    return frame[count == len(METHODS)]


def row(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def table(head, rows):
    return [row(head), row(["---"] * len(head)), *[row(r) for r in rows], ""]


def by_setting(frame, measure):
    """Settings (table, kind, rate) by methods: the mean over seeds."""
    return frame.pivot_table(index=["table", "kind", "rate_text"], columns="method", values=measure, aggfunc="mean")[list(METHODS)]


def false_flags(frame):
    """By method: of 1000 rows whose labels are all right."""
    clean = frame[frame["rate"] == 0.0].groupby("method")
    return 1000.0 * clean["flagged"].sum() / clean["rows"].sum()


def rank_rows(frame):
    wide = {m: by_setting(frame, m).dropna() for m in MEASURES}  # some are not defined without errors
    ranks = {m: w.rank(axis=1, ascending=not MEASURES[m][1]).mean() for m, w in wide.items()}
    flags = false_flags(frame)
    seconds = frame.groupby("method")["seconds"].median()
    for method in METHODS:
        yield [method, *[bold_if(r[method], r.min()) for r in ranks.values()],
               f"{flags.get(method, np.nan):.1f}", f"{seconds[method]:.2f}"]


def duel_rows(frame):
    """Candor against each, table by table: how many it wins, the mean difference, and whether that could be chance."""
    with_errors = frame[frame["wrong"] > 0]
    for method in [m for m in METHODS if m != OURS]:
        cells = [method]
        for measure in ("average_precision", "brier", "log_loss"):
            wide = by_setting(with_errors, measure)[[OURS, method]].dropna().groupby("table").mean()
            gain = (wide[OURS] - wide[method]) * (1.0 if MEASURES[measure][1] else -1.0)
            p = wilcoxon(gain).pvalue if (gain != 0.0).sum() > 5 else np.nan
            cells.append(f"{(gain > 0).sum()} : {(gain < 0).sum()}, {gain.mean():+.4f}, p = {p:.2g}")
        yield cells


def found_rows(frame):
    """Of the wrong labels, the share that a method points at, and of what it points at, the share that is wrong; all draws together."""
    with_errors = frame[frame["wrong"] > 0]
    sums = with_errors.groupby(["kind", "rate_text", "method"])[["wrong", "flagged", "flagged_wrong"]].sum()
    for kind, rate in sums.index.droplevel("method").unique():
        of = sums.loc[kind, rate]
        yield [f"{kind}, {rate}", *[f"{of['flagged_wrong'][m] / of['wrong'][m]:.2f} / {of['flagged_wrong'][m] / max(of['flagged'][m], 1):.2f}"
                                    for m in METHODS]]


def duels_by_kind(frame):
    wide = by_setting(frame[frame["wrong"] > 0], "average_precision").dropna()
    for other in (m for m in METHODS if m != OURS):
        lead = (wide[OURS] - wide[other]).groupby(["table", "kind"]).mean().unstack("kind")
        yield [other, *[f"{(lead[kind] > 0).sum()} : {(lead[kind] < 0).sum()}, {lead[kind].mean():+.3f}" if kind in lead else "–" for kind in KINDS_OF_ERRORS]]


def constants_said(frame):
    """Brier scores of two scores that look at no row."""
    settings = frame[(frame["method"] == OURS) & (frame["wrong"] > 0)]
    rate = settings["wrong"] / settings["rows"]
    against = settings.assign(zero=rate, share=rate * (1.0 - rate)).groupby(["table", "kind", "rate_text"])[["brier", "zero", "share"]].mean()
    return (f"Two scores that look at no row are a measure of Brier scores: 0 for every row has {against['zero'].mean():.3f} on average over settings "
            f"with errors, the true share of wrong labels, which nobody knows, {against['share'].mean():.3f}, and Candor {against['brier'].mean():.3f}; it is "
            f"worse than the first in {(against['brier'] > against['zero']).sum()} of {len(against)} settings and than the second in "
            f"{(against['brier'] > against['share']).sum()}. Scores of the others are no probabilities of an error.")


def silence(frame):
    """Where Candor ranks and does not accuse, which costs it Brier scores and saves it false flags."""
    ours = frame[(frame["method"] == OURS) & frame["kind"].isin(["by_class", "boundary"])]
    silent = ours[ours["flagged"] == 0]
    return (f"In {len(silent)} of {len(ours)} draws with errors by class or at the boundary Candor points at no row: such errors look like a soft "
            "boundary between the classes, which the model without label errors explains as well, and `p_wrong` then stays near 0 (Brier score "
            f"{silent['brier'].mean():.3f}, share of wrong labels {(silent['wrong'] / silent['rows']).mean():.3f}), although the ranking of these "
            f"rows has an average precision of {silent['average_precision'].mean():.3f}. There one minus the leave-one-out probability of the given "
            "label, *candor, no label errors*, is the better probability, and it is what flags rows of clean tables.")


def losses(frame, measure):
    """By setting with errors: by how much the best of the others is ahead of Candor, where it is."""
    wide = by_setting(frame[frame["wrong"] > 0], measure).dropna()
    sign = 1.0 if MEASURES[measure][1] else -1.0
    ahead = (sign * wide.drop(columns=OURS)).max(axis=1) - sign * wide[OURS]
    return ahead[ahead > 0.0]


def lost(frame):
    """Where another method is better, and why as far as that is known."""
    settings = len(by_setting(frame[frame["wrong"] > 0], "brier"))
    precision, brier = losses(frame, "average_precision"), losses(frame, "brier")
    at_boundary = brier.index.get_level_values("kind") == "boundary"
    clean = frame[(frame["method"] == OURS) & (frame["rate"] == 0.0)].groupby("table")["flagged"].sum().sort_values()
    log_loss = by_setting(frame[frame["wrong"] > 0], "log_loss")[list(METHODS)[:2]].dropna().groupby("table").mean()
    unsure = [name for name, (ours, regular) in log_loss.iterrows() if ours > regular]
    said = [f"Some other method, not always the same one, has the better average precision in {len(precision)} of {settings} settings with errors, "
            f"by 0.02 or more in {(precision >= 0.02).sum()}, and the better Brier score in {len(brier)}, {at_boundary.sum()} of them "
            "with errors at the boundary (above).", ""]
    if clean.sum() > 0:
        said += [f"Of the {clean.sum()} labels of clean tables that Candor points at, {clean.iloc[-1]} are on {clean.index[-1]}. Its test log "
                 f"loss is above that of its model without label errors on {', '.join(unsure) or 'no table'}.", ""]
    return said


def overlap_said(path):
    """What overlap.py measured: clean tables whose classes overlap."""
    if not path.exists():
        return []
    frame = pd.read_json(path, lines=True)
    losses = ["of_true_class", "as_recorded", "without_errors"]
    rows, mistaken = [], []
    for name, draws in frame.groupby("table", sort=False):
        worse = {loss: draws[loss] - draws["without_errors"] for loss in losses[:2]}
        error = {loss: d.std(ddof=1) / len(d) ** 0.5 for loss, d in worse.items()}
        if worse["of_true_class"].mean() > 2 * error["of_true_class"] and worse["as_recorded"].mean() < 2 * error["as_recorded"]:
            mistaken.append(name)
        rows.append([name, f"{1000.0 * draws['flagged'].sum() / draws['rows'].sum():.1f}", f"{100.0 * draws['rate'].mean():.1f} %",
                     f"{draws['without_errors'].mean():.3f}", *[f"{worse[loss].mean():+.3f} ± {error[loss]:.3f}" for loss in losses[:2]]])
    return [f"By `experiments/label_errors/overlap.py`, {frame['seed'].nunique()} draws each of tables whose labels are taken as right, three of them "
            "made of two normal columns of which the first decides P(class). Where rows of the one class lie among those of the other at any "
            "distance from the boundary, no table can tell them from wrong labels, and the likelihood calls them that. Predictions are of the true "
            "class; those of the label as it would be recorded (`predict_observed_proba`) have the found rate of errors in them. Overlap was taken "
            "for errors where the former are worse than the model without label errors, by more than two standard errors, and the latter are not: "
            f"{'; '.join(mistaken) or 'nowhere'}. Whoever knows that labels are right and classes overlap says so with "
            "`--errors none`, in Python `likelihood=\"regular\"`.", "",
            *table(["", "flagged per 1000", "rate found", "log loss, no label errors", "of the true class, more", "as recorded, more"], rows)]


def rankings_said(path):
    """What rankings.py measured: one fit, ranked in two ways; controls, which were not picked because Candor loses there, apart."""
    if not path.exists():
        return []
    frame = pd.read_json(path, lines=True)
    columns = ["p_wrong", "not_given", "not_given_without_errors", "p_wrong_of_one_rate"]
    wide = frame.groupby("table")[columns].mean()
    picked, controls = wide[~wide.index.isin(CONTROLS)], wide[wide.index.isin(CONTROLS)]
    rows = [[name + (", a control" if name in CONTROLS else ""), *["–" if v != v else f"**{v:.3f}**" if v == values.max() else f"{v:.3f}" for v in values]]
            for name, values in pd.concat([picked, controls]).iterrows()]
    by_not_given = {where: of["not_given"] - of["p_wrong"] for where, of in (("picked", picked), ("controls", controls))}
    by_one_rate = {where: (of["p_wrong_of_one_rate"] - of["p_wrong"]).dropna() for where, of in (("picked", picked), ("controls", controls))}

    def compared(gains):
        gain, control = gains["picked"], gains["controls"]
        p = f", Wilcoxon test p = {wilcoxon(gain).pvalue:.2g}" if len(gain) > 5 else ""
        return (f"better on {(gain > 0).sum()} of the {len(gain)} ({gain.mean():+.3f} on average{p}), and on {(control > 0).sum()} of the "
                f"{len(control)} controls ({control.mean():+.3f})")

    return [f"By `experiments/label_errors/rankings.py`, on {len(picked)} tables where another method is ahead by 0.02 or more in average "
            f"precision, and on {len(controls)} controls, where Candor is mostly first; with uniform errors or at the boundary ({frame['seed'].nunique()} draws): one fit of "
            "Candor, ranked by `p_wrong` and by one minus the leave-one-out probability of the given label, beside the model without label errors and, "
            "of two classes, `p_wrong` of one rate of errors alone. Both kinds of tables were picked by results of the same methods, to either side.", "",
            f"One minus p(given) orders {compared(by_not_given)}. Of the tables of two classes one rate alone, which by default is averaged with a rate for "
            f"each class, orders {compared(by_one_rate)}; none of these settings has errors by class, where a rate for each class finds most (below), so that "
            "they cannot tell which default is better.", "",
            *table(["", "`p_wrong`", "1 − p(given), same fit", "1 − p(given), no label errors", "`p_wrong`, one rate"], rows)]


def more_rows_said(path, few):
    """The same settings with more rows, beside those of `few`; both by the draws that there are."""
    if not path.exists():
        return []
    many = measured([path])
    shown = {"average_precision": "average precision", "brier": "Brier score", "log_loss": "test log loss"}
    wide = {m: by_setting(many[many["wrong"] > 0], m).dropna() for m in shown}
    before = {m: by_setting(few[few["wrong"] > 0], m).reindex(wide[m].index) for m in shown}
    ranks = {m: wide[m].rank(axis=1, ascending=not MEASURES[m][1]).mean() for m in shown}
    clean = many.loc[many["rate"] == 0.0, "table"].unique()
    flags = false_flags(few[few["table"].isin(clean)]), false_flags(many)
    seconds = many.groupby("method")["seconds"].median()
    lines = [[method, *[f"{before[m][method].mean():.3f} → {wide[m][method].mean():.3f} ({bold_if(ranks[m][method], ranks[m].min())})" for m in shown],
              f"{flags[0][method]:.1f} → {flags[1][method]:.1f}", f"{seconds[method]:.1f}"] for method in METHODS]
    ours = many[many["method"] == OURS]
    lost_in = {m: losses(many, m) for m in ("average_precision", "brier")}
    by_table = [[name, f"{of['rows'].max()}", f"{of['average_precision'].mean():.3f}", f"{best:.3f} ({best_of})", f"{int(of['converged'].sum())} of {len(of)}"]
                for name, of in ours.groupby("table")
                for others in [wide["average_precision"].loc[name].drop(columns=OURS).mean()]
                for best, best_of in [(others.max(), others.idxmax())]]
    return ["## With more rows", "",
            f"{int(many['drawn'].iloc[0])} rows drawn, or all, of {many['table'].nunique()} tables, so that methods learn from {ours['rows'].min()} to "
            f"{ours['rows'].max()}; {draws_said(many, named=False)} Means over settings with {int(few['drawn'].iloc[0])} rows ({few['seed'].nunique()} draws) → with more "
            f"(average rank with more). Some other method has the better average precision in {len(lost_in['average_precision'])} of "
            f"{len(wide['average_precision'])} settings with errors, and the better Brier score in {len(lost_in['brier'])}.", "",
            *table(["", *shown.values(), "false flags at 0 %", "seconds"], lines),
            *table(["", "rows learned from", "average precision, candor", "the best other", "converged"], by_table)]


def bold_if(value, best):
    return f"**{value:.2f}**" if value == best else f"{value:.2f}"


def kind_rows(frame, measure):
    wide = by_setting(frame[frame["wrong"] > 0], measure).groupby(["kind", "rate_text"]).mean()
    for (kind, rate), values in wide.iterrows():
        best = values.max() if MEASURES[measure][1] else values.min()
        yield [f"{kind}, {rate}", *[f"**{v:.3f}**" if v == best else f"{v:.3f}" for v in values]]


def table_rows(frame, measure):
    wide = by_setting(frame[frame["wrong"] > 0], measure).groupby("table").mean()
    for name, values in wide.iterrows():
        best = values.max() if MEASURES[measure][1] else values.min()
        yield [name, *[f"**{v:.3f}**" if v == best else f"{v:.3f}" for v in values]]


def draw(frame, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    wide = by_setting(frame[frame["wrong"] > 0], "average_precision").groupby("table").mean()
    wide = wide.sort_values(OURS)
    styles = {"candor": ("o", "#0072b2", 60), "cleanlab, forest": ("s", "#d55e00", 28), "cleanlab, logistic": ("^", "#e69f00", 28),
              "cleanlab, boosting": ("v", "#cc79a7", 28), "SVC": ("D", "#009e73", 22), "candor, no label errors": ("o", "#56b4e9", 24)}
    figure, axes = plt.subplots(figsize=(7.5, 0.27 * len(wide) + 1.3))
    for method, (marker, colour, size) in styles.items():
        axes.scatter(wide[method], range(len(wide)), marker=marker, s=size, color=colour, label=method, alpha=0.85, zorder=3)
    axes.set_yticks(range(len(wide)), wide.index)
    axes.set_xlabel("average precision of the ranking, mean over kinds, rates and seeds")
    axes.grid(axis="both", color="0.9")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize=8, handletextpad=0.2)
    axes.margins(y=0.01)
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def draws_said(frame, named=True):
    """How many draws there are of each setting, which tables have fewer, and (named) which none."""
    settings = frame[frame["method"] == OURS].groupby(["table", "kind", "rate_text"]).size()
    most = settings.max()
    least = settings.groupby(level="table").min()
    fewer = [f"{name} {count}" for name, count in least.items() if count < most]
    absent = [name for name in (*PLANTED, *REAL) if named and name not in set(frame["table"])]
    return (f"{'one draw' if most == 1 else f'{most} draws'} of each of {len(settings)} settings"
            + (f" (fewer of {', '.join(fewer)})" if fewer else "") + "."
            + (f" Not run yet, or not there: {', '.join(absent)}." if absent else ""))


def introduction(frame):
    ours = frame[frame["method"] == OURS]
    rows = int(frame["drawn"].iloc[0])
    return (f"{frame['table'].nunique()} tables, {rows} rows drawn of each (or all, if fewer), a third of them kept as a test with right labels where errors "
            "are planted, so that methods learn from 200 at most; "
            f"{draws_said(frame)}\n\nPlanted errors: uniform (any row, any other class), by class (half of the classes, always "
            "mistaken for the same other one, never more than 45 % of them: about 22 % of a table of two classes where 30 % are asked for), "
            "boundary (the rows that a forest which knows the truth finds hard, as the next class in line: the forests among the methods are of the same kind, which may "
            "work against them). Real errors, of 200 rows, without a test: "
            f"{', '.join(name for name in REAL if name in set(frame['table']))}, whose errors people made (of student_grades a teacher on "
            "purpose; of colon_alon, whose 62 rows are the same in every draw, they are suspected, not proven; of mnist_test_verified the known "
            "15 of 10,000 are in every draw, which is fifty times their share, found by people among rows that cleanlab had picked). Test log losses count probabilities below 0.001 as that.\n\nCandor as it is by default, one thread. That it compares rates by class, their prior, and that errors are 19 "
            "times as probable as none beforehand were decided after a look at two draws of these tables (decisions "
            "[14](decisions/0014-rates-by-class.md) and [15](decisions/0015-tables-have-errors.md)), that three classes learn which is taken "
            "for which, with what prior, and that more than a hundred columns share a lengthscale, after a look at three "
            "([16](decisions/0016-which-class-for-which.md), [17](decisions/0017-wide-tables.md)); nothing else was tuned on their truth. "
            f"{int(ours['converged'].sum())} of {len(ours)} of its fits converged; the others are counted as they are.\n\n*candor, no label errors* ranks by one minus "
            "its leave-one-out probability of the given label, which also beats the folds of the others below; their scores are one minus "
            "the out-of-fold probability of the given label (five folds); so cleanlab's with a forest and the forest's own are one "
            "ranking, and differ in what they flag and in how they predict the test rows.")


def page_of(frame, folder):
    lines = ["# Finding wrong labels: Candor and others", "",
             "Written by `experiments/label_errors/page.py`; do not edit. How to repeat it: [experiments/README.md](../experiments/README.md).",
             "", introduction(frame), "", "## Average ranks", "",
             f"Of {len(METHODS)} methods in every setting in which the number is defined (without errors there is no average precision, AUROC "
             "or precision), 1 is best. Brier score and calibration error take every score as the probability that the label is wrong, which "
             "is what people do with it; only Candor's claims to be one. False flags: rows per 1000 that a method points at where every label "
             "is right. Seconds of CPU, median.", ""]
    lines += table(["", *[name for name, _ in MEASURES.values()], "false flags at 0 %", "seconds"], rank_rows(frame))
    lines += ["## Candor against each", "",
              "Tables won and lost, mean difference (above 0: Candor is better), two-sided Wilcoxon test over tables, each table one number.", ""]
    lines += table(["", "average precision", "Brier score", "test log loss"], duel_rows(frame))
    lines += ["By kind of errors, average precision:", ""]
    lines += table(["", *KINDS_OF_ERRORS], duels_by_kind(frame))
    lines += [constants_said(frame), ""]
    lines += ["## What is pointed at", "",
              "Share of the wrong labels that a method points at / share of what it points at that is wrong. Candor points where `p_wrong` is above ½, "
              "which a lower `--threshold` changes; cleanlab by its own rule; the others where another class is likelier. Candor's rows are "
              "few; whoever would rather look at more rows goes down the ranking.", ""]
    lines += table(["", *METHODS], found_rows(frame))
    lines += [silence(frame), "", "## Where Candor loses", "", *lost(frame), *overlap_said(folder / "label_error_overlap.jsonl"),
              *rankings_said(folder / "label_error_rankings.jsonl"), *more_rows_said(folder / "label_error_more_rows.jsonl", frame)]
    lines += ["![Average precision by table](pictures/label_errors.png)", ""]
    for measure in ("average_precision", "brier"):
        name = MEASURES[measure][0]
        lines += [f"## {name[0].upper()}{name[1:]} by kind and rate of errors", ""] + table(["", *METHODS], kind_rows(frame, measure))
        lines += [f"## {name[0].upper()}{name[1:]} by table", ""] + table(["", *METHODS], table_rows(frame, measure))
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "label_errors.md")
    parser.add_argument("--picture", type=pathlib.Path, default=ROOT / "docs" / "pictures" / "label_errors.png")
    options = parser.parse_args()
    frame = measured(options.results)
    options.page.write_text(page_of(frame, options.results[0].parent), encoding="utf-8")
    draw(frame, options.picture)


if __name__ == "__main__":
    main()
