# SPDX-License-Identifier: MIT
"""Sections of the page on where Candor loses, and on what was looked into because of it: overlap, other rankings, more rows."""
from comparison import (CHANCE, KINDS_OF_ERRORS, MEASURES, OURS, REGULAR, bold_if, by_setting, chance, compared, draws_said, false_flags, gain,
                        gains_by_kind, listed, losses, measured, more_is_better, of_candor, p_said, ranks, read, revisions_said, table, with_errors)
from methods import METHODS
from rankings import CONTROLS


def place(values, measure):
    """Candor's, 1 is best."""
    return int(values.rank(ascending=not more_is_better(measure), method="min")[OURS])


def loss_said(values, measure):
    """Candor's number and place, and the best of the others."""
    others = values.drop(OURS)
    best = others.idxmax() if more_is_better(measure) else others.idxmin()
    return f"{values[OURS]:.3f}, place {place(values, measure)}; {best} {others[best]:.3f}"


def lost_in(frame, measure, level):
    """Tables, or errors, in which the mean of some other method is better, with both."""
    wide = by_setting(frame, measure).dropna().groupby(level).mean()
    return "; ".join(f"{name} ({loss_said(values, measure)})" for name, values in wide.iterrows() if place(values, measure) > 1) or "none"


def places_by_errors(frame):
    """Candor's average ranks by kind and rate of errors."""
    average = {m: ranks(frame, m).groupby("errors").mean() for m in MEASURES}
    for errors in sorted(set(frame["errors"])):
        cells = [(of.loc[errors], m) for m, of in average.items() if errors in of.index]
        shown = {m: f"{values[OURS]:.2f}" + (f" ({p})" if (p := int(values.rank(method='min')[OURS])) > 1 else "") for values, m in cells}
        yield [errors, *[shown.get(m, "–") for m in MEASURES]]


def own_model_said(frame):
    """Where label errors in the model do not show in rankings, and what they cost predictions of tables without any."""
    unproven = [f"{kind} ({compared(of, 3)})" for kind, of in gains_by_kind(frame, REGULAR).items() if not (chance(of) < CHANCE and of.mean() > 0)]
    said = []
    for measure in ("log_loss", "error"):
        worse = -gain(frame[frame["rate"] == 0.0], measure, REGULAR)
        if len(worse):
            most = f"; most on {worse.idxmax()}, {worse.max():+.3f}" if worse.max() > 0 else ""
            said.append(f"{MEASURES[measure][0]} higher on {(worse > 0).sum()} of {len(worse)} tables, lower on {(worse < 0).sum()} "
                        f"({worse.mean():+.4f} on average{p_said(worse)}{most})")
    return [f"- **Its own model without label errors**: average precision is not shown to be better than that one's (p < {CHANCE}) with errors of "
            f"these kinds: {'; '.join(unproven) or 'none'}." + (f" Where every label is right: {'; '.join(said)}." if said else "")]


def flags_said(frame):
    ours = frame[frame["method"] == OURS]
    silent = with_errors(ours).groupby("table")["flagged"].sum()
    clean = ours[ours["rate"] == 0.0].groupby("table")["flagged"].sum().sort_values()
    said = f"- **Rows pointed at**: tables with errors of which it points at no row in any draw: {listed(silent.index[silent == 0])}."
    if clean.sum() > 0:
        said += f" Of the {clean.sum()} labels of clean tables that it points at, {clean.iloc[-1]} are on {clean.index[-1]}."
    return said


def cost_said(frame):
    ours = frame[frame["method"] == OURS]
    seconds = frame.groupby("method")["seconds"].mean()
    slowest = ours.groupby("table")["seconds"].mean().nlargest(3)
    failed = ours[ours["converged"] != 1.0].groupby("table").size().sort_values(ascending=False)
    others = seconds.drop(OURS)
    return (f"- **Time**: {seconds[OURS]:.1f} s on average, {seconds[OURS] / others.max():.1f} times that of {others.idxmax()}, the slowest of the "
            f"others; most for {listed(f'{name}, {s:.0f} s' for name, s in slowest.items())}.",
            f"- **Fits that did not converge**, of {len(ours)}: {listed(f'{name} {count}' for name, count in failed.items())}.")


def lost(frame):
    """Where another method is better."""
    of_errors = with_errors(frame)
    settings = len(by_setting(of_errors, "brier"))
    precision, brier = losses(frame, "average_precision"), losses(frame, "brier")
    outside = losses(frame, "average_precision", but=[REGULAR])
    at_boundary = (brier.index.get_level_values("kind") == "boundary").sum()
    return [f"Candor's average rank among the {len(METHODS)} by kind and rate of errors, in brackets its place where that is not the first:", "",
            *table(["", *[name for name, _ in MEASURES.values()]], places_by_errors(frame)),
            "Means over settings with errors; in brackets Candor's, its place, and the best of the others:", "",
            f"- **Average precision**: some other method, not always the same one, is better in {len(precision)} of {settings} settings, by 0.02 or "
            f"more in {(precision >= 0.02).sum()}; one that is not Candor's own in {len(outside)}. Tables lost: {lost_in(of_errors, 'average_precision', 'table')}.",
            f"- **Brier score**: some other method is better in {len(brier)} settings, {at_boundary} of them with errors at the boundary. Errors "
            f"lost: {lost_in(of_errors, 'brier', 'errors')}. Tables lost: {lost_in(of_errors, 'brier', 'table')}.",
            f"- **Test log loss**, tables lost: {lost_in(of_errors, 'log_loss', 'table')}.",
            f"- **Test error**, tables lost: {lost_in(of_errors, 'error', 'table')}.",
            *own_model_said(frame), flags_said(frame), *cost_said(frame), ""]


def overlap_said(path, frame):
    """What overlap.py measured: clean tables whose classes overlap."""
    if not path.exists():
        return []
    drawn = read(path)
    clean = frame[(frame["method"] == OURS) & (frame["rate"] == 0.0)].groupby("table")["flagged"].sum()
    most = clean.idxmax() if clean.max() > 0 else None
    rows, mistaken, said = [], [], f" {most}, which has the most of Candor's false flags, was not measured." if most else ""
    for name, draws in drawn.groupby("table", sort=False):
        worse = {loss: draws[loss] - draws["without_errors"] for loss in ("of_true_class", "as_recorded")}
        errors = {loss: d.mean() / d.sem() for loss, d in worse.items()}
        is_mistaken = errors["of_true_class"] > 2.0 and errors["as_recorded"] < 2.0
        mistaken += [name] if is_mistaken else []
        if name == most:
            true_class = worse["of_true_class"]
            said = (f" {name}, which has the most of Candor's false flags, is {'one' if is_mistaken else 'none'} of them by this rule: worse by "
                    f"{errors['of_true_class']:.1f} standard errors, in {(true_class > 0).sum()} of {len(draws)} draws{p_said(true_class)}.")
        rows.append([name, f"{1000.0 * draws['flagged'].sum() / draws['rows'].sum():.1f}", f"{100.0 * draws['rate'].mean():.1f} %",
                     f"{draws['without_errors'].mean():.3f}", *[f"{d.mean():+.3f} ± {d.sem():.3f}{p_said(d)}" for d in worse.values()]])
    return ["### Classes that overlap", "",
            f"By `experiments/label_errors/overlap.py`, {drawn['seed'].nunique()} draws each of tables whose labels are taken as right, three of "
            "them made of two normal columns of which the first decides P(class). Where rows of the one class lie among those of the other at any "
            "distance from the boundary, no table can tell them from wrong labels, and the likelihood calls them that. Predictions are of the true "
            "class; those of the label as it would be recorded (`predict_observed_proba`) have the found rate of errors in them. "
            f"{revisions_said(drawn)}", "",
            "Overlap was taken for errors where the former have a log loss above that of the model without label errors, by more than two standard "
            f"errors, and the latter do not: {'; '.join(mistaken) or 'nowhere'}.{said} Whoever knows that labels are right and classes overlap says "
            "so with `--errors none`, in Python `likelihood=\"regular\"`.", "",
            *table(["", "flagged per 1000", "rate found", "log loss, no label errors", "of the true class, more", "as recorded, more"], rows)]


def one_rate_said(drawn):
    """One rate of errors alone beside the default, which averages it with a rate for each class; by kinds of errors."""
    drawn = drawn.dropna(subset="p_wrong_of_one_rate")
    if drawn.empty:
        return []
    by = (drawn["p_wrong_of_one_rate"] - drawn["p_wrong"]).groupby([drawn["table"], drawn["kind"]]).mean().unstack("kind")
    controls = by.index.isin(CONTROLS)
    rows = [[kind, *[compared(of[kind].dropna(), 3) for of in (by[~controls], by[controls], by)]] for kind in KINDS_OF_ERRORS if kind in by]
    verdict = {kind: "cannot be told from the default" if not chance(of) < CHANCE else "orders better" if of.mean() > 0 else "orders worse"
               for kind, of in ((kind, by[kind].dropna()) for kind in KINDS_OF_ERRORS if kind in by)}
    said = "; ".join(f"{said} with {listed(k for k, v in verdict.items() if v == said)} errors" for said in dict.fromkeys(verdict.values()))
    if "by_class" in by:
        whole = by.dropna().mean(axis=1)
        p = chance(whole)
        said += (f". Every kind counted alike, its average precision is {'above' if whole.mean() > 0 else 'below'} that of the default "
                 f"({compared(whole, 3)}), {'which is more than chance' if p < CHANCE else 'which may be chance'}")
    else:
        said += ". No errors by class were measured, so that this does not tell which default is better"
    return [f"On {len(by)} tables of two classes, one rate of errors alone, which by default is averaged with a rate for each class, {said}. "
            "Tables that one rate orders better : worse, mean difference, test over tables:", "", *table(["", "picked", "controls", "all"], rows)]


def rankings_said(path, frame):
    """What rankings.py measured: one fit, ranked in two ways; controls, which were not picked because Candor loses there, apart."""
    if not path.exists():
        return []
    drawn = read(path)
    columns = ["p_wrong", "not_given", "not_given_without_errors", "p_wrong_of_one_rate"]
    wide = drawn[drawn["kind"] != "by_class"].groupby("table")[columns].mean()  # all tables by the same kinds
    picked, controls = wide[~wide.index.isin(CONTROLS)], wide[wide.index.isin(CONTROLS)]
    ahead = losses(frame[frame["kind"].isin(drawn.loc[drawn["kind"] != "by_class", "kind"])], "average_precision")
    still = picked.index.intersection(ahead.index[ahead >= 0.02].get_level_values("table"))
    mean_of = {f"mean of {len(of)} {name}": of.mean(skipna=False) for name, of in (("picked", picked), ("controls", controls)) if len(of)}
    rows = [[name, *["–" if v != v else f"**{v:.3f}**" if v == values.max() else f"{v:.3f}" for v in values]]
            for name, values in [*picked.iterrows(), *mean_of.items()]]
    better = {name: compared(of["not_given"] - of["p_wrong"], 3) for name, of in (("picked", picked), ("controls", controls))}
    return ["### One fit, ranked in other ways", "",
            f"By `experiments/label_errors/rankings.py`, {drawn['seed'].nunique()} draws. {len(picked)} tables were picked because another method was "
            "ahead by 0.02 or more in average precision with uniform errors or at the boundary, which favours whatever differs from what lost; in the "
            f"draws above this holds on {len(still)} of them. {len(controls)} controls were not picked so. {revisions_said(drawn)}", "",
            "One minus the leave-one-out probability of the given label, 1 − p(given), beside `p_wrong` of the same fit, tables that it orders better "
            f": worse, mean difference: picked {better['picked']}; controls {better['controls']}. Average precision, without errors by class:", "",
            *table(["", "`p_wrong`", "1 − p(given), same fit", "1 − p(given), no label errors", "`p_wrong`, one rate"], rows),
            *one_rate_said(drawn)]


def more_rows_said(path, few):
    """The same settings with more rows, beside those of `few`; both by the draws that there are."""
    if not path.exists():
        return []
    many = measured([path])
    shown = {"average_precision": "average precision", "brier": "Brier score", "log_loss": "test log loss"}
    wide = {m: by_setting(with_errors(many), m).dropna() for m in shown}
    before = {m: by_setting(with_errors(few), m).reindex(wide[m].index) for m in shown}
    average = {m: ranks(with_errors(many), m).mean() for m in shown}
    flags = false_flags(few[few["table"].isin(many.loc[many["rate"] == 0.0, "table"])]), false_flags(many)
    seconds = many.groupby("method")["seconds"].median()
    lines = [[method, *[f"{before[m][method].mean():.3f} → {wide[m][method].mean():.3f} ({bold_if(average[m][method], average[m].min())})"
                        for m in shown],
              f"{flags[0][method]:.1f} → {flags[1][method]:.1f}", f"{seconds[method]:.1f}"] for method in METHODS]
    ours = many[many["method"] == OURS]
    ahead = {m: losses(many, m) for m in ("average_precision", "brier")}
    others = {name: wide["average_precision"].loc[name].drop(columns=OURS).mean() for name in ours["table"].unique()}
    by_table = [[name, f"{of['rows'].max()}", f"{of['average_precision'].mean():.3f}", f"{others[name].max():.3f} ({others[name].idxmax()})",
                 f"{int(of['converged'].sum())} of {len(of)}"] for name, of in ours.groupby("table")]
    return ["## With more rows", "",
            f"{int(many['drawn'].iloc[0])} rows drawn, or all, of {many['table'].nunique()} tables, so that methods learn from {ours['rows'].min()} "
            f"to {ours['rows'].max()}; {draws_said(many, named=False)} {revisions_said(of_candor(many))}", "",
            f"Means over settings with {int(few['drawn'].iloc[0])} rows ({few['seed'].nunique()} draws) → with more (average rank with more). Some "
            f"other method has the better average precision in {len(ahead['average_precision'])} of {len(wide['average_precision'])} settings with "
            f"errors, and the better Brier score in {len(ahead['brier'])}.", "",
            *table(["", *shown.values(), "false flags at 0 %", "seconds"], lines),
            *table(["", "rows learned from", "average precision, candor", "the best other", "converged"], by_table)]
