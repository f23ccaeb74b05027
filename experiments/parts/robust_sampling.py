# SPDX-License-Identifier: MIT
"""The section on the sampled models of the robust papers."""
import math
import statistics

from parts.wording import table


def beyond(difference, error):
    return max(0.0, abs(difference) - 2 * error)


def accuracy_rows(r):
    for source, said in r["sources"].items():
        for name, spoken in r["names"].items():
            entries = [d[name] for d in r["draws"] if d["case"][0] == source]
            off, bound = ([e[key] - e["sampled"] for e in entries] for key in ("log_evidence", "bound"))
            worst = max(beyond(o, e["error"]) for o, e in zip(off, entries, strict=True))
            p_wrong = "–" if name == "regular" else f"{max(e['p_wrong_beyond'] for e in entries):.2f}"
            yield [f"{said}, {spoken}", f"{sum(e['settled'] for e in entries)} of {len(entries)}", f"{statistics.mean(off):+.2f}",
                   f"{min(off):+.2f} to {max(off):+.2f}", f"{worst:.2f}", p_wrong, f"{statistics.median(bound):+.2f}", f"{min(bound):+.1f}"]


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
            gains = [gain(d, name) for d in some]
            error = sum(e**2 for *_, e in gains) ** 0.5 / len(gains)
            cells += [f"{statistics.mean(ep for ep, *_ in gains):+.2f}", f"{statistics.mean(s for _, s, _ in gains):+.2f} ± {error:.2f}"]
        yield [setting, f"{len(some)}", *cells]


def verdict(draws):
    gains = [gain(d, name) for d in draws for name in ("em_ep", "evidence")]
    clear = [(ep, s) for ep, s, error in gains if abs(s) > 2 * error and abs(s) > 0.5]
    same = sum((ep > 0) == (s > 0) for ep, s in clear)
    off = max(abs(ep - s) - 2 * error for ep, s, error in gains)
    return (f"Of {len(gains)} comparisons of a robust model with the regular one, sampling tells {len(clear)} apart (by more than half a nat and two "
            f"errors), and EP prefers the same model in {same} of these; its gain is at most {max(0.0, off):.1f} nats from the sampled one, beyond two errors.")


def robust_sampling(r):
    draws, s = r["draws"], r["settings"]
    unsettled = sum(not d[name]["settled"] for d in draws for name in r["names"])
    total = len(draws) * len(r["names"])
    open_ends = (f" {unsettled} of {total} are not settled: chains, or there and back, disagree by more than noise or by what matters, and "
                 "half of that difference is their error." if unsettled else "")
    loose = sum(not d[name]["bound_converged"] for d in draws for name in r["names"])
    climbs = f", {loose} of {total} of whose climbs did not converge" if loose else ""
    return f"""
{table(["fits of", "settled", "EP less sampled, mean", "range", "largest beyond two errors", "largest of p_wrong beyond two errors", "variational bound less sampled, median", "least"], list(accuracy_rows(r)))}

Every model at its own numbers. Sampled: {s["chains"]} chains of {s["draws"]} draws (worst R-hat {max(d[n]["r_hat"] for d in draws for n in r["names"]):.3f}, least effective draws {min(d[n]["effective_draws"] for d in draws for n in r["names"]):.0f}), evidence by {s["runs"]} runs of {s["temperatures"]} temperatures
from the prior, which owes nothing to EP, and as many back.{open_ends} The bound is that of the variational Gaussian{climbs}.

{table(["gain over the regular model, nats", "draws", "EM-EP, by EP", "sampled", "evidence, by EP", "sampled"], list(gain_rows(r)))}

{verdict(draws)}
"""
