# SPDX-License-Identifier: MIT
"""What run.py measured, as numbers: means by setting, ranks, wins and losses with tests, and sentences on where it comes from."""
import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from methods import METHODS
from run import lines_of
from tables import PLANTED, REAL

OURS, REGULAR = "candor", "candor, no label errors"
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
FALSE_FLAGS = {"false_flags": ("false flags at 0 %", False)}
DUELS = MEASURES | FALSE_FLAGS
CHANCE = 0.05


def read(*paths):
    """Lines as they are written: pandas by itself would take a revision such as 12e4567890 for a number."""
    frame = pd.DataFrame([line for path in paths for line in lines_of(path)])
    return frame if "revision" in frame else frame.assign(revision=None)


DRAW = ["table", "kind", "rate", "seed", "drawn", "method"]


def measured_again(paths):
    """Candor's lines that a later line for the same draw replaces, beside that one."""
    lines = of_candor(read(*paths))
    kept = lines.drop_duplicates(DRAW, keep="last")
    return lines.drop(kept.index).drop_duplicates(DRAW, keep="last").merge(kept, on=DRAW, suffixes=("_before", ""))


def measured(paths):
    """What run.py wrote, packed or not, without cells that lack a method; of lines for one draw the last."""
    frame = read(*paths)
    frame["rate_text"] = [f"{100 * r:g} %" if r == r else "as it is" for r in frame["rate"]]
    frame["errors"] = ["real" if r != r else f"{kind}, {text}" if r > 0.0 else "none"
                       for kind, r, text in zip(frame["kind"], frame["rate"], frame["rate_text"])]
    frame["false_flags"] = (1000.0 * frame["flagged"] / frame["rows"]).where(frame["rate"] == 0.0)
    cell = ["table", "kind", "rate", "seed"]
    frame = frame.drop_duplicates(DRAW, keep="last")
    count = frame.groupby(cell, dropna=False)["method"].transform("nunique")
    return frame[count == len(METHODS)]


def more_is_better(measure):
    return DUELS[measure][1]


def with_errors(frame):
    return frame[frame["wrong"] > 0]


def by_setting(frame, measure):
    """Settings (table, kind, errors) by methods: the mean over seeds."""
    means = frame.groupby(["table", "kind", "errors", "method"])[measure].mean().unstack("method")
    return means.reindex(columns=list(METHODS)).dropna(how="all")


def ranks(frame, measure):
    return by_setting(frame, measure).dropna().rank(axis=1, ascending=not more_is_better(measure))  # some are not defined without errors


def false_flags(frame):
    """By method: of 1000 rows whose labels are all right."""
    clean = frame[frame["rate"] == 0.0].groupby("method")
    return 1000.0 * clean["flagged"].sum() / clean["rows"].sum()


def gain(frame, measure, other):
    """By how much Candor is better than another method, one number for each table."""
    wide = by_setting(frame, measure)[[OURS, other]].dropna().groupby("table").mean()
    return (wide[OURS] - wide[other]) * (1.0 if more_is_better(measure) else -1.0)


def gains_by_kind(frame, other):
    parts = {kind: with_errors(frame[frame["kind"] == kind]) for kind in KINDS_OF_ERRORS}
    return {kind: gain(of, "average_precision", other) for kind, of in parts.items() if len(of)}


def losses(frame, measure, but=()):
    """By setting with errors: by how much the best of the others, `but` some, is ahead of Candor, where it is."""
    wide = by_setting(with_errors(frame), measure).dropna()
    sign = 1.0 if more_is_better(measure) else -1.0
    ahead = (sign * wide.drop(columns=[OURS, *but])).max(axis=1) - sign * wide[OURS]
    return ahead[ahead > 0.0]


def chance(gains):
    """Two-sided Wilcoxon test; no number of few tables."""
    return wilcoxon(gains).pvalue if (gains != 0.0).sum() > 5 else np.nan


def p_said(gains):
    p = chance(gains)
    return f", p = {p:.2g}" if p == p else ""


def compared(gains, digits=4):
    return f"{(gains > 0).sum()} : {(gains < 0).sum()}, {gains.mean():+.{digits}f}{p_said(gains)}" if len(gains) else "–"


def row(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def table(head, rows):
    return [row(head), row(["---"] * len(head)), *[row(r) for r in rows], ""]


def listed(names, nothing="none"):
    names = list(names)
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or nothing


def bold_if(value, best):
    return f"**{value:.2f}**" if value == best else f"{value:.2f}"


def of_candor(frame):
    return frame[frame["method"].isin([OURS, REGULAR])]


def revisions_said(lines):
    """Which Candor made them, as far as they tell."""
    known = lines["revision"].dropna().value_counts()
    names = listed(f"{name} ({count})" for name, count in known.items())
    if known.sum() == len(lines):
        return f"Candor's lines are by revision {names}."
    if known.empty:
        return f"None of Candor's {len(lines)} lines names the revision that made it; they may be of several."
    return (f"{len(lines) - known.sum()} of Candor's {len(lines)} lines do not name the revision that made them: they are from before lines did, and "
            f"may be of several. The others are by {names}.")


def draws_said(frame, named=True):
    """How many draws there are of each setting, which tables have fewer, and (named) which none."""
    settings = frame[frame["method"] == OURS].groupby(["table", "errors"]).size()
    most = settings.max()
    least = settings.groupby(level="table").min()
    fewer = [f"{name} {count}" for name, count in least.items() if count < most]
    absent = [name for name in (*PLANTED, *REAL) if named and name not in set(frame["table"])]
    return (f"{'one draw' if most == 1 else f'{most} draws'} of each of {len(settings)} settings"
            + (f" (fewer of {', '.join(fewer)})" if fewer else "") + "."
            + (f" Not run yet, or not there: {', '.join(absent)}." if absent else ""))
