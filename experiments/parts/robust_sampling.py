# SPDX-License-Identifier: MIT
"""The section on the sampled models of the robust papers."""
import math
import statistics

from parts.wording import counted, listed, table


def beyond(difference, error):
    return max(0.0, abs(difference) - 2 * error)


def accuracy_rows(r):
    for source, said in r["sources"].items():
        for name, spoken in r["names"].items():
            entries = [d[name] for d in r["draws"] if d["case"][0] == source]
            off, bound = ([e[key] - e["sampled"] for e in entries] for key in ("log_evidence", "bound"))
            worst = max(beyond(o, e["error"]) for o, e in zip(off, entries, strict=True))
            p_wrong = "–" if name == "regular" else f"{max(e['p_wrong_beyond'] for e in entries):.2f}"
            yield [f"{said}, {spoken}", f"{sum(e['settled'] for e in entries)} of {len(entries)}",
                   f"{sum(e['judgement'] == 'off' for e in entries)} of {len(entries)}", f"{statistics.mean(off):+.2f}",
                   f"{min(off):+.2f} to {max(off):+.2f}", f"{worst:.2f}", p_wrong, f"{max(e['mean_beyond'] for e in entries):.2f}",
                   f"{statistics.median(bound):+.2f}", f"{min(bound):+.1f}"]


def has_settled(draw, name):
    """The robust model and the regular one that it is compared with."""
    return draw[name]["settled"] and draw["regular"]["settled"]


def gain(draw, name):
    """Of a robust model over the regular one: by EP, by sampling, and the error of the latter."""
    robust, regular = draw[name], draw["regular"]
    return robust["log_evidence"] - regular["log_evidence"], robust["sampled"] - regular["sampled"], math.hypot(robust["error"], regular["error"])


def setting_of(case, sources):
    source, _, setting = case
    return sources[source] + {"ring": "", "thyroid": f", {setting} % changed", "flips": f", {setting} changed"}[source]


def gain_rows(r):
    by_setting = {}
    for d in r["draws"]:
        by_setting.setdefault(setting_of(d["case"], r["sources"]), []).append(d)
    for setting, some in by_setting.items():
        cells = []
        for name in ("em_ep", "evidence"):
            gains = [gain(d, name) for d in some if has_settled(d, name)]
            if gains:
                error = math.hypot(*(e for *_, e in gains)) / len(gains)
                cells += [f"{len(gains)}", f"{statistics.mean(ep for ep, *_ in gains):+.2f}", f"{statistics.mean(s for _, s, _ in gains):+.2f} ± {error:.2f}"]
            else:
                cells += ["0", "–", "–"]
        yield [setting, f"{len(some)}", *cells]


def verdict(draws):
    gains = [gain(d, name) for d in draws for name in ("em_ep", "evidence") if has_settled(d, name)]
    if not gains:
        return "No comparison of a robust model with the regular one has settled."
    clear = [(ep, s) for ep, s, error in gains if abs(s) > 2 * error and abs(s) > 0.5]
    same = sum((ep > 0) == (s > 0) for ep, s in clear)
    raw, off = max(abs(ep - s) for ep, s, _ in gains), max(beyond(ep - s, error) for ep, s, error in gains)
    return (f"Of {len(gains)} comparisons of a robust model with the regular one in which both have settled, sampling tells {len(clear)} apart (by more than half "
            f"a nat and two errors), and EP prefers the same model in {same} of these. By EP the gain is at most {raw:.1f} nats from the sampled one, {off:.1f} beyond "
            "two errors.")


def why_not_settled(fits):
    """Counts of fits by what keeps them from being settled (docs/math/mcmc.md), each under the first reason that holds."""
    def reason(e):
        if e["judgement"] == "not_converged":
            return "whose EP did not converge"
        if e["r_hat"] > 1.05 or e["effective_draws"] < 100:
            return "whose chains have not met"
        if math.hypot(e["there"]["standard_error"], e["back"]["standard_error"]) > 0.5:
            return "whose anneals are too noisy (half a nat, there and back together)"
        return "whose anneals there and back differ by more than that noise, or by half a nat"

    found = [reason(e) for e in fits if not e["settled"]]
    return counted([(found.count(why), why) for why in dict.fromkeys(found)])


def judged(r):
    """What `candor check` says of the fits, and by which of the quantities that are stored."""
    off = {spoken: [d[name] for d in r["draws"] if d[name]["judgement"] == "off"] for name, spoken in r["names"].items()}
    found = [e for some in off.values() for e in some]
    if not found:
        return "`candor check` calls EP off in none of them."
    said = counted([(len(some), f"of {len(r['draws'])} of “{spoken}”") for spoken, some in off.items()])
    by_p, by_mean = (sum(e[key] > limit for e in found) for key, limit in (("p_wrong_beyond", 0.05), ("mean_beyond", 0.25)))
    return (f"Single rows are another matter than choosing a model. `candor check` calls EP off (the p_wrong of a row by 0.05, its latent mean by a quarter of a posterior deviation, its deviation by a quarter of itself, or the "
            f"evidence by half a nat, beyond two errors) in {said}; by a p_wrong in {by_p}, by a latent mean in {by_mean} of these {len(found)}.")


def robust_sampling(r):
    draws, s = r["draws"], r["settings"]["sampler"]
    temperatures = listed([f"{count} ({r['sources'][source]})" for source, count in r["settings"]["temperatures"].items()])
    fits = [d[name] for d in draws for name in r["names"]]
    unsettled = sum(not e["settled"] for e in fits)
    open_ends = f" {unsettled} of {len(fits)} fits have not settled: {why_not_settled(fits)}; their numbers count with the errors that they have." if unsettled else ""
    loose = sum(not e["bound_converged"] for e in fits)
    climbs = f", {loose} of {len(fits)} of whose climbs did not converge" if loose else ""
    return f"""
{table(["fits of", "settled", "EP is off", "log evidence, EP less sampled, mean", "range", "largest beyond two errors", "p_wrong, largest beyond two errors",
        "latent mean, largest beyond two errors, sd", "variational bound less sampled, median", "least"], list(accuracy_rows(r)))}

Every model at its own numbers. Sampled: {s["chains"]} chains of {s["draws"]} draws (worst R-hat {max(e["r_hat"] for e in fits):.3f}, least effective draws {min(e["effective_draws"] for e in fits):.0f}), evidence by {s["runs"]} runs of {temperatures} temperatures
from the prior, which owes nothing to EP, and as many back.{open_ends} The bound is that of the variational Gaussian{climbs}.

{table(["gain over the regular model, nats", "draws", "EM-EP: settled", "by EP", "sampled", "evidence: settled", "by EP", "sampled"], list(gain_rows(r)))}

Means over the draws in which both models have settled; ± is the error of sampling, not what draws differ by. {verdict(draws)}

{judged(r)}
"""
