#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/reproduction.md from the results of the experiments: what was printed, what we get, and where they differ.

    experiments/page.py [--results experiments/results] [--pictures docs/pictures] [--output docs/reproduction.md]
    experiments/page.py --list      the experiments, in the order of the page
"""
import argparse
import gzip
import json
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def pm(summary, digits=2):
    return f"{summary['mean']:.{digits}f} ± {summary['error']:.{digits}f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def apart(ours, error, printed, printed_error=0.0):
    """Difference in standard errors of it."""
    return (ours - printed) / (error**2 + printed_error**2) ** 0.5


def short(kernel):
    """Text of a kernel with three digits."""
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.3g}", kernel)


def listed(words):
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def counted(parts):
    """The parts that are not zero, as text."""
    return listed([f"{count} {what}" for count, what in parts if count] or ["none"])


def ring_outliers(r):
    rows = []
    for name, m in r["models"].items():
        printed = r["printed"].get(name, {})
        rows.append([m["name"], pm(m["log_evidence"]), f"{printed['log_evidence']:.2f}" if printed else "–", pm(m["error"]),
                     f"{printed['error']:.2f}" if printed else "–", pm(m["rate"], 3), str(m["runaways"]), str(m["not_converged"])])
    em, ev, regular, far = (r["models"][name] for name in ("em_ep", "evidence", "regular", "em_ep_far"))
    low, _, high = regular["log_evidence_quantiles"]
    printed = r["printed"]["regular"]["log_evidence"]
    place = "within" if low <= printed <= high else "outside of"
    least, _, most = em["error_quantiles"]
    printed_error = r["printed"]["em_ep"]["error"]
    where = "within" if least <= printed_error <= most else "outside of"
    return f"""
{table(["model", "log evidence", "printed", "test error, %", "printed", "ε", "ε ran to ½", "not converged"], rows)}

Means ± standard errors of {r["draws"]} draws; the paper prints one. Its evidence of the regular model, {printed}, is {place} the central 90 % of
ours ({low:.1f} to {high:.1f}; {r["draws_at_or_below_printed"]} of {r["draws"]} draws are as low), its robust error, {printed_error:.2f} %, {where} that of
EM-EP's ({least:.1f} to {most:.1f} %). The direction is confirmed: EM-EP has the lower error in {em["better_error"]} draws and the higher in
{em["worse_error"]} (mean gain {pm(em["gain"])} points), learning by evidence in {ev["better_error"]} and {ev["worse_error"]} ({pm(ev["gain"])}).
In evidence EM-EP is above the regular model in {em["better_evidence"]} of {r["draws"]} draws, and learning by evidence never more than
{max(0.0, -r["least_evidence_gain"]):.3f} nats below it. EM-EP's ε is {em["rate"]["mean"] / ev["rate"]["mean"]:.1f} times that of the evidence, and the truth is
{r["settings"]["flips"] / r["settings"]["training"]:.3f}. Begun at v₂ = 0.1 instead of 0.01 its ε runs to ½ in {far["runaways"]} draws. Of the two changed labels
{ev["found"]["mean"]:.2f} are among the two that learning by evidence doubts most. {stopped(em, r["settings"], f"{em['not_converged']} draws")}
"""


def stopped(em_ep, settings, where):
    """EM-EP that had not come to rest."""
    if not em_ep["largest_moving"]:
        return ""
    return (f"EM-EP was stopped after {settings['em_ep_steps']} accelerated steps in {where}, v₂ still falling; the last 30 steps changed "
            f"its evidence by at most {em_ep['largest_moving']:.2f} nats.")


def thyroid_outliers(r):
    rates = r["rates"]
    rows, differences = [], []
    for name, m in r["models"].items():
        for key, what, digits in (("log_evidence", "log evidence", 1), ("error", "error, %", 2)):
            if key not in m:
                continue
            printed = r["printed"].get(name, {}).get(key)
            cells = [pm(ours, digits) + (f" / {p[0]:.{digits}f} ± {p[1]:.{digits}f}" if p else "")
                     for ours, p in zip(m[key], printed or [None] * len(rates), strict=True)]
            rows.append([m["name"], what, *cells])
            if printed:
                differences += [(apart(o["mean"], o["error"], *p), m["name"], what, rate)
                                for rate, o, p in zip(rates, m[key], printed, strict=True)]
    far = sorted((d for d in differences if abs(d[0]) > 2), key=lambda d: -abs(d[0]))
    said = "; ".join(f"{name}, {what.split(',')[0]} at {rate} %: {z:+.1f}" for z, name, what, rate in far) or "none"
    gains = r["over_regular"]

    def gain(name, key, digits=2):
        return ", ".join(pm(g, digits) for g in gains[name][key])

    learned = {name: ", ".join(f"{100 * e['mean']:.1f}" for e in r["models"][name]["rate"]) for name in ("em_ep", "evidence")}
    em_ep = r["models"]["em_ep"]
    stuck = sum(sum(r["models"][name]["not_converged"]) for name in ("regular", "evidence"))
    return f"""
{table(["model", "", *(f"{rate} %" for rate in rates)], rows)}

Cells: ours / printed, means ± standard errors; ours of {r["draws"]} splits, the paper's of ten. Of {len(differences)} numbers
{len(differences) - len(far)} agree within two standard errors of the difference. The others, in standard errors (+: ours is larger): {said}.

Differences to the regular model on the same splits, at {listed([f"{rate} %" for rate in rates])}: EM-EP's evidence {gain("em_ep", "log_evidence")} nats
and error {gain("em_ep", "error")} points; by evidence {gain("evidence", "log_evidence")} nats and {gain("evidence", "error")} points.
{verdict_of_selection(gains)} Learned ε in per cent: EM-EP {learned["em_ep"]}; by evidence {learned["evidence"]}. Evidence
searches that did not converge: {stuck} of {r["draws"] * len(rates) * 2}. {stopped(em_ep, r["settings"], f"{sum(em_ep['not_converged'])} of {r['draws'] * len(rates)} runs")}
"""


def verdict_of_selection(gains):
    clean, most = gains["em_ep"]["log_evidence"][0], gains["em_ep"]["log_evidence"][-1]
    below = "loses evidence where no label is changed, as printed" if clean["mean"] < 0 else "does not lose evidence where no label is changed, against the paper"
    above = "gains at the highest rate" if most["mean"] > 0 else "does not gain at the highest rate, against the paper"
    least = min(g["mean"] for g in gains["evidence"]["log_evidence"])
    always = "never loses on average" if least > -0.02 else f"loses {-least:.2f} nats at one rate"
    return f"EM-EP {below}, and {above}; learning by evidence {always}: ε = 0 is one of its answers."


def thyroid_flips(r):
    rows = []
    for name, m in r["models"].items():
        rows.append([m["name"], "log evidence", *(pm(e, 1) for e in m["log_evidence"])])
        rows.append(["", "error, %", *(pm(e, 1) for e in m["error"])])
        if m["rate"][-1]["mean"] > 0:
            rows.append(["", "ε, %", *(f"{100 * e['mean']:.2f}" for e in m["rate"])])
            rows.append(["", "largest spread of ε over starts, %", *(f"{100 * s:.1g}" for s in m["largest_spread"])])
    for name, words in (("regular", "printed, ε = 0"), ("robust", "printed, ε learned")):
        rows.append([words, "log evidence", *(f"{v:.1f}" for v in r["printed"][name]["log_evidence"])])
        rows.append(["", "error, %", *(f"{v:.1f}" for v in r["printed"][name]["error"])])
    rows.append(["truth", "ε, %", *(f"{100 * v:.2f}" for v in r["true_rate"])])
    shift = [o["mean"] - p for o, p in zip(r["models"]["evidence"]["log_evidence"], r["printed"]["robust"]["log_evidence"], strict=True)]
    off = [100 * abs(e["mean"] - t) for e, t in zip(r["models"]["evidence"]["rate"], r["true_rate"], strict=True)]
    em_off = [100 * abs(e["mean"] - t) for e, t in zip(r["models"]["em_ep"]["rate"], r["true_rate"], strict=True)]
    worst = max(max(e["mean"] for e in m["error"]) for m in r["models"].values())
    stuck = {m["name"]: sum(m["not_converged"]) for m in r["models"].values()}
    return f"""
{table(["model", "", *(f"{f} changed" for f in r["flips"])], rows)}

Means ± standard errors of {r["draws"]} splits; the paper prints one. With ε by evidence our log evidence is {min(shift):+.1f} to {max(shift):+.1f} nats from
the printed robust column. Its mean ε is at most {max(off):.2f} percentage points from the share that was changed,
that of the printed formula up to {max(em_off):.2f}, with {100 * r["models"]["em_ep"]["rate"][0]["mean"]:.1f} % on unchanged labels: that ε matches, as the paper
says, {"fits the maximum of the evidence better than the formula" if max(off) < max(em_off) else "fits neither"}. From 0.01, 0.02 and 0.03 as starts, searches that
converge end within {100 * max(r["models"]["evidence"]["largest_spread"]):.1g} percentage points of each other (EM-EP: {100 * max(r["models"]["em_ep"]["largest_spread"]):.1g}). The printed fall of ε = 0 to {r["printed"]["regular"]["log_evidence"][-1]:.0f} is not found:
ours is {r["models"]["regular"]["log_evidence"][-1]["mean"]:.0f}, and {r["models"]["tiny_noise"]["log_evidence"][-1]["mean"]:.0f} with a tiny v₂. Nor is the printed test
error of 71 %: our largest mean is {worst:.0f} %. Splits and counts in which one
of the starts did not converge, of {r["draws"] * len(r["flips"])}: {counted([(n, "of " + name) for name, n in stuck.items()])}.
"""


def prior_draws(r):
    rows = [[name, f"{k['largest_z']:.1f}", f"{k['slope']:.2f}"] for name, k in r["kernels"].items()]
    return f"""
{table(["prior", "largest difference of covariances, standard errors", "root mean square slope over 0.01"], rows)}

Covariances of {r["draws"]} draws at distances 0 to 3 against the formula. The slope of a squared exponential is 1; that of ν = ½ grows without
bound as the step shrinks.
"""


def regression_selection(r):
    rows = [[truth, f"{s['preferred']} of {r['draws']}", pm(s["lead"])] for truth, s in r["sets"].items()]
    shown = ", ".join(f"{name} {fit['log_evidence']:.2f} (the slide's set: {r['printed'][name]})" for name, fit in r["shown"].items())
    return f"""
{table(["functions drawn from", "and preferred", "lead in log marginal likelihood, nats"], rows)}

The set shown: {shown}. The sets differ, so that the numbers cannot agree. {r["settings"]["rows"]} points tell the two apart on average, not always. Evidence and its closed form differ by at most {r["largest_off_closed_form"]:.0e}.
"""


def evidence_pm(annealed):
    return f"{annealed['log_evidence']:.2f} ± {annealed['standard_error']:.2f}"


def one_dimension(r):
    methods, sampling = r["methods"], r["sampling"]
    rows = [[m["name"], evidence_pm(sampling["there"]) if name == "sampled" else f"{m['log_evidence']:.2f}", f"{m['largest_latent_mean']:.2f}",
             *(["–", "–"] if name == "sampled" else [f"{m['mean_off']:.2f}", f"{m['distance_to_sampled']:.3f}"]),
             f"{m['distance_to_truth']:.3f}"] for name, m in methods.items()]
    off = {name: methods[name]["log_evidence"] - methods["sampled"]["log_evidence"] for name in ("laplace", "ep")}
    ahead = [what for what, key in (("latent means", "mean_off"), ("class probabilities", "distance_to_sampled"))
             if methods["ep"][key] < methods["laplace"][key]]
    lead = abs(off["laplace"]) - abs(off["ep"])
    if abs(lead) <= 3 * sampling["there"]["standard_error"]:
        order = "which of them is nearer cannot be told"
    else:
        order = f"{'EP' if lead > 0 else 'Laplace'} is the nearer"
    who = f"Sampling sides with EP in {listed(ahead)}" if ahead else "Sampling sides with Laplace in means and probabilities"
    return f"""
{table(["method", "log evidence", "largest latent mean", "largest error of a latent mean, posterior sd", "mean distance of p to the sampled", "mean distance of p to the process"], rows)}

`{short(r["kernel"])}`, at the maximum of Laplace's evidence. EP's latent mean is farther from 0 in {100 * r["ep_farther_from_zero"]:.0f} % of the rows, as on the
slide: Laplace's mode lies nearer to 0 than the mean does. {who}. In evidence Laplace is {off["laplace"]:+.2f} nats off and EP {off["ep"]:+.2f}, ± {sampling["there"]["standard_error"]:.2f}: {order}.
{who_is_near(methods)}
Sampled by {r["settings"]["chains"]} chains of {r["settings"]["draws"]} draws (worst R-hat {sampling["r_hat"]:.3f}, {sampling["effective_draws"]:.0f} effective draws in the worst row); evidence from EP's Gaussian by
{annealing(r["settings"], sampling)}. From the prior, which owes nothing to EP: {annealing(r["settings"]["from_prior"], sampling["from_prior"])}.
"""


def who_is_near(methods):
    """The exact posterior need not be the nearest to the process that made the labels."""
    order = sorted(methods.values(), key=lambda m: m["distance_to_truth"])
    return f"Nearest to the process itself, which no method knows, is {order[0]['name']} ({order[0]['distance_to_truth']:.3f}), then {order[1]['name']} ({order[1]['distance_to_truth']:.3f})."


def annealing(settings, sampling):
    """What was run, and what came back."""
    there, back = sampling["there"], sampling["back"]
    return (f"{settings['runs']} runs of {settings['temperatures']} temperatures {evidence_pm(there)}, {there['effective_runs']:.0f} of them effective; in reverse it is "
            f"{evidence_pm(back)} ({back['effective_runs']:.0f} effective)")


def usps_3v5(r):
    rows = []
    for name, e in r["engines"].items():
        p = r["printed"][name]
        rows.append([e["name"], f"{e['log_evidence']:.1f}", f"≈ {p['log_evidence']:.0f}", f"({e['at'][0]:.2f}, {e['at'][1]:.2f})",
                     f"({p['at'][0]}, {p['at'][1]})", f"{e['information']:.3f}", f"{e['error']:.2f}"])
    lead = r["ep_over_laplace"]
    return f"""
{table(["method", "most log evidence", "book", "at (log ℓ, log σ_f)", "book", "test information there, bits", "test error, %"], rows)}

{r["settings"]["rows"]} digits to learn from and {r["test_rows"]} to test on, another partition of the book's pool. EP's evidence is above
Laplace's all over the grid, by {lead["least"]:.1f} to {lead["largest"]:.1f} nats, and most so where the amplitude is large; its probabilities tell more about the
test labels. {usps_levels(r)} The most test information on the grid is {r["engines"]["laplace"]["best_information_on_grid"]:.2f} bits for Laplace and
{r["engines"]["ep"]["best_information_on_grid"]:.2f} for EP; the slide's highest contours are at 0.84 and 0.89.

{table(["evidence at the book's hyperparameters", "Laplace", "EP"], usps_partitions(r))}
"""


def usps_levels(r):
    """Whether the printed evidence is among those of other partitions."""
    said = []
    for name, e in r["engines"].items():
        printed, found = r["printed"][name]["log_evidence"], r["other_partitions"]["all digits"][name]
        z = (printed - found["mean"]) / found["spread"]
        said.append(f"{e['name']} {z:.1f}")
    return (f"The levels of the book are {'not reproduced' if z > 2 else 'within what partitions give'}: its evidences are {listed(said)} standard deviations above "
            f"the mean of {r['partitions']} other partitions, and the maxima lie elsewhere.")


def usps_partitions(r):
    def cell(v):
        return f"{v['mean']:.1f} (sd {v['spread']:.1f}; {v['least']:.1f} to {v['largest']:.1f})"

    rows = [["the book", *(f"≈ {r['printed'][engine]['log_evidence']:.0f}" for engine in r["engines"])],
            ["our partition", *(f"{e['at_printed']:.1f}" for e in r["engines"].values())]]
    return rows + [[f"{r['partitions']} random partitions, {name}", *(cell(v) for v in found.values())]
                   for name, found in r["other_partitions"].items()]


def usps_sampling(r):
    settings, rows = r["settings"], []
    for name, p in r["points"].items():
        there, back = p["annealed"]["there"], p["annealed"]["back"]
        rows.append([name, f"({p['at'][0]:.2f}, {p['at'][1]:.2f})", f"{p['laplace']['log_evidence']:.2f}", f"{p['ep']['log_evidence']:.2f}",
                     f"{evidence_pm(there)} ({there['effective_runs']:.0f})", f"{evidence_pm(back)} ({back['effective_runs']:.0f})",
                     f"{p['r_hat']:.3f}", f"{p['effective_draws']:.0f}", *(f"{p[e]['mean_off']:.2f}, {p[e]['sd_ratio']:.2f}" for e in ("laplace", "ep"))])
    return f"""
{table(["where", "(log ℓ, log σ_f)", "Laplace", "EP", "annealed (effective runs)", "in reverse", "worst R-hat", "least effective draws", "Laplace: means off, sd", "EP: means off, sd"], rows)}

{settings["rows"]} digits. Chains: {settings["chains"]["chains"]} of {settings["chains"]["draws"]} draws. Log evidence from the prior, which owes nothing to EP, by {settings["annealing"]["runs"]} runs of {settings["annealing"]["temperatures"]} temperatures.
*Means off*: root mean square over rows of the difference to the sampled latent mean, in posterior deviations; *sd*: the method's deviation over the
sampled one, geometric mean over rows. {usps_verdict(r)}

{usps_latents(r)}
"""


def usps_verdict(r):
    """Of what can be told: where chains have met and anneals there and back agree."""
    def is_settled(p):
        return p["annealed"]["settled"] and p["r_hat"] <= 1.05 and p["effective_draws"] >= 100

    good = [p for p in r["points"].values() if is_settled(p)]
    open_ends = [name for name, p in r["points"].items() if not is_settled(p)]
    said = "Sampling has settled nowhere."
    if good:
        off = {e: [p[e]["log_evidence"] - p["annealed"]["there"]["log_evidence"] for p in good] for e in ("laplace", "ep")}
        error = max(p["annealed"]["there"]["standard_error"] for p in good)
        said = (f"Where sampling has settled, EP's log evidence is {listed([f'{o:+.2f}' for o in off['ep']])} nats from it, with standard errors up to {error:.2f}, and "
                f"Laplace's {listed([f'{o:+.1f}' for o in off['laplace']])}.")
    return said + (f" It has **not** settled at {listed(open_ends)} (R-hat, effective draws, or there and back): what is said of these is not yet the truth."
                   if open_ends else "")


def usps_latents(r):
    said = []
    for name, p in list(r["points"].items())[:2]:
        latent, normals = p["latent"], p["latent"]["normals"]
        said.append(f"At {name}, digit {latent['row']}: sampled {latent['mean']:.1f} ± {latent['sd']:.1f} (posterior deviation), Laplace "
                    f"{normals['laplace'][0]:.1f} ± {normals['laplace'][1]:.1f}, EP {normals['ep'][0]:.1f} ± {normals['ep'][1]:.1f}.")
    return "The rows of the picture are those where the two methods' means are farthest apart. " + "\n".join(said)


def linear_logistic(r):
    rows = []
    for name, p in r["problems"].items():
        found = p["maximum_likelihood"]
        ml = "none: separable" if found is None else f"log likelihood {found['log_likelihood']:.3f}"
        for v in p["views"]:
            rows.append([name, ml, f"{v['alpha']:g}", f"{v['log_evidence_weights']:.4f}", f"{v['log_evidence_process']:.4f}",
                         f"{v['mean_off']:.0e}", f"{v['variance_off']:.0e}"])
    norms = next(p["weights_at_tiny_alpha"] for p in r["problems"].values() if p["separable"])
    return f"""
{table(["classes", "maximum likelihood", "α", "log evidence, weights", "log evidence, process", "means differ by", "variances differ by"], rows)}

Differences are relative to the largest. Where the classes are separable, maximum likelihood is refused; with α = 0.01, 0.0001, 0.000001 |w| is
{listed([f"{n:.0f}" for n in norms])}.
"""


def laplace_blog(r):
    e = r["log_evidence"]
    return f"""
Log evidence of the eight labels: Laplace {e["laplace"]:.4f} (by the formula, from the mode: {r["by_hand"]:.4f}), EP {e["ep"]:.4f}. With the post's sign the
first is {r["with_the_wrong_sign"]:.4f}, {r["with_the_wrong_sign"] - e["laplace"]:.2f} nats too much; guessing has {r["no_information"]:.4f}. The prediction is not affected by the sign.
"""


# Name, heading, source, what writes it.
PARTS = [
    (ring_outliers, "Ring with outliers", "[KG08], figure 1 and table 1"),
    (thyroid_outliers, "New Thyroid with changed labels", "[KG08], table 2"),
    (thyroid_flips, "New Thyroid, few changed labels", "[KGk], table 1"),
    (prior_draws, "Draws from priors", "[R06], slides 6 and 8"),
    (regression_selection, "A covariance chosen by the marginal likelihood", "[R06], slide 10"),
    (one_dimension, "Laplace and EP in one dimension", "[R06], slide 26"),
    (usps_3v5, "USPS, threes and fives", "[R06], slides 27 and 28; [RW06], figures 3.7 and 3.8"),
    (usps_sampling, "USPS by sampling", "[R06], slides 27 and 28"),
    (linear_logistic, "Linear logistic regression", "[P12]"),
    (laplace_blog, "Laplace's method on eight points", "[L23]"),
]


def iris():
    """Of a program in C++ (experiments/README.md), whose results are kept packed."""
    path = ROOT / "experiments" / "results" / "iris.json.gz"
    r = json.loads(gzip.decompress(path.read_bytes()))
    state = "converged" if r["converged"] else "did not converge"
    return f"""
## Iris by softmax Laplace

[P12], last slides; `experiments/iris`. The lecture fixes σ_f = 1 and prints pictures only. Here amplitude, lengthscale and a constant are learned,
on petal length and width: `{short(r["covariance"])}`, log evidence {r["log_evidence"]:.2f} ({state}).

![Iris](DOCUMENTS/pictures/iris.png)

Many classes with wrong labels, after [HHD11]: [multiclass.md](DOCUMENTS/multiclass.md).
"""


def page(results):
    parts, missing = [], []
    for write, heading, source in PARTS:
        path = results / f"{write.__name__}.json"
        if not path.exists():
            missing.append(write.__name__)
            continue
        r = json.loads(path.read_text())
        quick = " **Quick run: few draws, not to be compared.**" if r["quick"] else ""
        parts.append(f"## {heading}\n\n{source}; `experiments/{write.__name__}.py`.{quick}\n{write(r)}\n"
                     f"![{heading}](PICTURES/{write.__name__}.png)\n")
    absent = f"\nNot here, since they have not been run: {listed(missing)}.\n" if missing else ""
    head = f"""# Published tables and figures, run again

Written by `experiments/page.py`; do not edit. `make reproduce` runs everything, `experiments/checks.py` checks what must hold; keys are those of
[bibliography.md](DOCUMENTS/bibliography.md). Settings and their reasons stand at the head of each experiment. ε is the rate of wrong labels, v₂ the latent noise.
*EM-EP* is the published learning, *evidence* ours. Log evidences are in nats.
{absent}"""
    return "\n".join([head, *parts]).rstrip() + "\n" + iris()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "experiments" / "results")
    parser.add_argument("--pictures", type=pathlib.Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "reproduction.md")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(write.__name__ for write, _, _ in PARTS))
        return
    text = page(options.results)
    for word, folder in (("PICTURES", options.pictures), ("DOCUMENTS/", ROOT / "docs")):
        place = os.path.relpath(folder, options.output.resolve().parent)
        text = text.replace(word, place if not word.endswith("/") else "" if place == "." else place + "/")
    options.output.write_text(text)
    print(f"page: {options.output}")


if __name__ == "__main__":
    main()
