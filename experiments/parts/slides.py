# SPDX-License-Identifier: MIT
"""Parts of the page on [R06]: priors, one dimension, threes and fives of USPS."""
from parts.wording import listed, pm, short, table


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

{r["settings"]["rows"]} digits to learn from and {r["test_rows"]} to test on, another partition of the book's pool. EP's evidence minus
Laplace's is {lead["least"]:.1f} to {lead["largest"]:.1f} nats over the grid. {usps_levels(r)} The most test information on the grid is {r["engines"]["laplace"]["best_information_on_grid"]:.2f} bits for Laplace and
{r["engines"]["ep"]["best_information_on_grid"]:.2f} for EP; the slide's highest contours are at 0.84 and 0.89.

{table(["evidence at the book's hyperparameters", "Laplace", "EP"], usps_partitions(r))}
"""


def usps_levels(r):
    """Whether the printed evidence is among those of other partitions."""
    off, said = [], []
    for pool, of in r["other_partitions"].items():
        z = {e["name"]: (r["printed"][key]["log_evidence"] - of[key]["mean"]) / of[key]["spread"] for key, e in r["engines"].items()}
        off += z.values()
        said.append(f"{listed([f'{name} {value:+.1f}' for name, value in z.items()])} standard deviations from the mean of {r['partitions']} partitions of {pool}")
    place = f"its evidences are {'; '.join(said)}"
    if all(abs(z) > 2 for z in off):
        return f"The levels of the book are not reproduced, and partitions do not account for all of it: {place}. What else differs is not known."
    return f"Beside other partitions: {place}."


def usps_partitions(r):
    def cell(v):
        return f"{v['mean']:.1f} (sd {v['spread']:.1f}; {v['least']:.1f} to {v['largest']:.1f})"

    rows = [["the book", *(f"≈ {r['printed'][engine]['log_evidence']:.0f}" for engine in r["engines"])],
            ["our partition", *(f"{e['at_printed']:.1f}" for e in r["engines"].values())]]
    return rows + [[f"{r['partitions']} random partitions, {name}", *(cell(v) for v in found.values())]
                   for name, found in r["other_partitions"].items()]


def usps_contours(r):
    points, settings, best = r["points"], r["settings"], r["best"]
    edge = ", on its edge" if any(v in (side[0], side[-1]) for v, side in zip(best["at"], (settings["log_length"], settings["log_amplitude"]), strict=True)) else ""
    start = "the prior, which owes nothing to EP," if settings["annealing"].get("from_prior") else "EP's Gaussian"
    rows = []
    for engine, name in (("laplace", "Laplace"), ("ep", "EP")):
        off = [p[engine]["log_evidence"] - p["log_evidence"] for p in points]
        beyond = [abs(d) - 2 * p["error"] for d, p in zip(off, points, strict=True)]
        bits = [p[engine]["information"] - p["information"] for p in points]
        rows.append([name, f"{min(off):+.2f} to {max(off):+.2f}", f"{max(beyond):.2f}", f"{min(bits):+.3f} to {max(bits):+.3f}"])
    return f"""
{table(["method", "log evidence minus the sampled, nats", "largest beyond two errors", "test information minus the sampled, bits"], rows)}

{len(points)} places, {settings["rows"]} digits to learn from, {r["test_rows"]} to test on. Evidence by {settings["annealing"]["runs"]} runs of {settings["annealing"]["temperatures"]} temperatures from {start} and as
many back (largest error {max(p["error"] for p in points):.2f} nats, median {sorted(p["error"] for p in points)[len(points) // 2]:.2f}), information by {settings["chains"]["chains"]} chains of {settings["chains"]["draws"]} draws (worst R-hat {max(p["r_hat"] for p in points):.3f}).
The most sampled evidence on this grid is {best["log_evidence"]:.1f} ± {best["error"]:.1f} at ({best["at"][0]:.2f}, {best["at"][1]:.2f}){edge}; the most sampled information {r["most_information"]:.3f} bits.
"""


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
