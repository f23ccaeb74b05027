# SPDX-License-Identifier: MIT
"""Parts of the page on [R06]: priors, one dimension, threes and fives of USPS."""
import math

from parts.wording import deviation, direction, listed, pm, short, span, table


def prior_draws(r):
    rows = [[name, f"{k['largest_z']:.1f}", f"{k['slope']:.2f}"] for name, k in r["kernels"].items()]
    far = [name for name, k in r["kernels"].items() if k["largest_z"] > 3]
    return f"""
{table(["prior", "largest difference of covariances, standard errors", "root mean square slope over 0.01"], rows)}

Covariances of {r["draws"]} draws at distances 0 to 3 against the formula: {"none is" if not far else f"of {listed(far)} one is"} more than three standard errors off. As the step
shrinks, the slope by the formula tends to 1 for a squared exponential and a rational quadratic and to √(ν / (ν − 1)) for a Matérn with ν > 1; it
grows without bound for ν = ½ and, logarithmically, for ν = 1.
"""


def regression_selection(r):
    rows = [[truth, f"{s['preferred']} of {r['draws']}", pm(s["lead"])] for truth, s in r["sets"].items()]
    shown = ", ".join(f"{name} {fit['log_evidence']:.2f} (the slide's set: {r['printed'][name]})" for name, fit in r["shown"].items())
    return f"""
{table(["functions drawn from", "and preferred", "lead in log marginal likelihood, nats"], rows)}

The set shown: {shown}. The sets differ, so that the numbers cannot agree. {regression_shown(r)}
{told_apart(r)} Evidence and its closed form differ by at most {r["largest_off_closed_form"]:.0e}.
"""


def regression_shown(r):
    """One of the draws of a squared exponential, beside the others."""
    name, other = r["shown"]
    lead, of = r["shown"][name]["log_evidence"] - r["shown"][other]["log_evidence"], r["sets"][name]["lead"]
    return (f"It is one of the {r['draws']}, and why this one is not recorded; its lead of {lead:.2f} nats is {(lead - of['mean']) / deviation(of):+.1f} standard "
            "deviations of a set from their mean.")


def told_apart(r):
    average, count = [truth for truth, s in r["sets"].items() if direction(s["lead"]) > 0], f"{r['settings']['rows']} points"
    always = all(s["preferred"] == r["draws"] for s in r["sets"].values())
    if len(average) < len(r["sets"]):
        return f"By three standard errors, {count} favour their own covariance on average for {listed(average) if average else 'neither'}{' only' if average else ''}."
    return f"{count} tell the two apart on average{', and in every set' if always else ', not always'}."


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
    farther = "as on the slide: Laplace's mode mostly lies nearer" if r["ep_farther_from_zero"] > 0.5 else "unlike on the slide"
    who = f"Sampling sides with EP in {listed(ahead)}" if ahead else "Sampling sides with Laplace in means and probabilities"
    return f"""
{table(["method", "log evidence", "largest latent mean", "largest error of a latent mean, posterior sd", "mean distance of p to the sampled", "mean distance of p to the process"], rows)}

`{short(r["kernel"])}`, at the maximum of Laplace's evidence. EP's latent mean is farther from 0 in {100 * r["ep_farther_from_zero"]:.0f} % of the rows, {farther}.
{who}. In evidence Laplace is {off["laplace"]:+.2f} nats off and EP {off["ep"]:+.2f}, ± {sampling["there"]["standard_error"]:.2f}: {order}.
{who_is_near(methods)} {other_seeds(r)}
Sampled by {r["settings"]["chains"]} chains of {r["settings"]["draws"]} draws (worst R-hat {sampling["r_hat"]:.3f}, {sampling["effective_draws"]:.0f} effective draws in the worst row); evidence from EP's Gaussian by
{annealing(r["settings"], sampling)}. From the prior, which owes nothing to EP: {annealing(r["settings"]["from_prior"], sampling["from_prior"])}.
"""


def who_is_near(methods):
    """The exact posterior need not be the nearest to the process that made the labels.  Of one data set, a tenth is no order."""
    order = sorted(methods.values(), key=lambda m: m["distance_to_truth"])
    level = [m for m in order if m["distance_to_truth"] <= 1.1 * order[0]["distance_to_truth"]]
    rest = [f"{m['name']} ({m['distance_to_truth']:.3f})" for m in order[len(level) :]]
    first = listed([f"{m['name']} ({m['distance_to_truth']:.3f})" for m in level])
    alike = ", less than a tenth apart, which one data set cannot order" if len(level) > 1 else ""
    return f"Nearest to the process itself, which no method knows, {'is' if len(level) == 1 else 'are'} {first}{alike}{'; then ' + listed(rest) if rest else ''}."


def other_seeds(r):
    """Whether what is shown hangs on the seed."""
    text = f"The points are those of seed {r['settings']['seed']}; why that one is not recorded."
    others = r["other_seeds"]
    return (f"{text} Of {others['count']} others, EP's latent mean is farther from 0 in most rows in {others['ep_farther']}, EP is nearer to the process than Laplace in "
            f"{others['ep_nearer']}, and Laplace's evidence is the higher in {others['laplace_above']}.")


def annealing(settings, sampling):
    """What was run, and what came back."""
    there, back = sampling["there"], sampling["back"]
    return (f"{settings['runs']} runs of {settings['temperatures']} temperatures {evidence_pm(there)}, {there['effective_runs']:.0f} of them effective; in reverse it is "
            f"{evidence_pm(back)} ({back['effective_runs']:.0f} effective)")


def usps_3v5(r):
    rows = []
    for name, e in r["engines"].items():
        p = r["printed"][name]
        rows.append([e["name"], f"{e['log_evidence']:.1f}", f"≈ {p['log_evidence']:.0f}", place(e["at"]), place(p["at"]), f"{e['at_printed']:.1f}",
                     f"{e['information']:.3f}", f"{e['error']:.2f}"])
    lead = r["ep_over_laplace"]
    return f"""
{table(["method", "most log evidence", "book", "at (log ℓ, log σ_f)", "book", "log evidence there", "test information, bits", "test error, %"], rows)}

{r["settings"]["rows"]} digits to learn from and {r["test_rows"]} to test on, those of the book, from the file of its authors [RWm]. {usps_levels(r)} EP's evidence minus
Laplace's is {lead["least"]:.1f} to {lead["largest"]:.1f} nats over the grid. The most test information on the grid is {r["engines"]["laplace"]["best_information_on_grid"]:.2f} bits for Laplace and
{r["engines"]["ep"]["best_information_on_grid"]:.2f} for EP; the slide's highest contours are at 0.84 and 0.89.
{usps_table(r)}"""


def usps_levels(r):
    """Whether the book's evidences, whole nats as read off its figures, are ours at the same places, and whether our maxima are there."""
    off = {e["name"]: abs(e["at_printed"] - r["printed"][key]["log_evidence"]) for key, e in r["engines"].items()}
    far = [f"{name} ({d:.1f} nats)" for name, d in off.items() if d > 0.5]
    same = (f"ours are the printed evidences of {listed(list(off))} at the hyperparameters of the book" if not far else
            f"our evidence at the hyperparameters of the book is not the printed one for {listed(far)}")
    said = []
    for key, e in r["engines"].items():
        away = [f"{axis} by {ours - book:+.2f}" for axis, ours, book in zip(("log ℓ", "log σ_f"), e["at"], r["printed"][key]["at"], strict=True)
                if abs(ours - book) > 0.05]
        place_said = f"elsewhere ({listed(away)}), with {e['log_evidence'] - e['at_printed']:.2f} nats more" if away else "where the book has it"
        said.append(f"{e['name']}'s maximum is {place_said}")
    return f"To the nat that can be read off its figures, {same}. {'; '.join(said)}."


def usps_table(r):
    """The other copy of the digits, where that was there."""
    other = r["of_the_table"]
    if other is None:
        return ""
    rows = [[r["engines"][key]["name"], f"{e['at_printed']:.1f}", f"{e['log_evidence']:.1f}", place(e["at"])] for key, e in other["engines"].items()]
    return f"""
Of another copy, the table usps_3v5, {other["rows"]} of the same pool of digits in another partition:

{table(["method", "log evidence at the book's maximum", "most log evidence", "at (log ℓ, log σ_f)"], rows)}

Its pixels are others, too: two digits are {other["distance"]:.1f} apart (root mean square), those of the book {r["distance"]:.1f}; the lengthscales differ likewise, by factors
of {listed([f"{math.exp(e['at'][0] - r['engines'][key]['at'][0]):.2f} ({r['engines'][key]['name']})" for key, e in other["engines"].items()])} beside {other["distance"] / r["distance"]:.2f}.
"""


def usps_contours(r, longer=None):
    """`longer`: results of usps_sampling, with more temperatures at four places."""
    points, settings = r["points"], r["settings"]
    rows = []
    for engine, name in (("laplace", "Laplace"), ("ep", "EP")):
        off = [p[engine]["log_evidence"] - p["log_evidence"] for p in points]
        beyond = [abs(d) - 2 * p["error"] for d, p in zip(off, points, strict=True)]
        bits = [p[engine]["information"] - p["information"] for p in points]
        rows.append([name, f"{min(off):+.2f} to {max(off):+.2f}", f"{max(beyond):.2f}", f"{min(bits):+.3f} to {max(bits):+.3f}"])
    return f"""
{table(["method", "log evidence minus the sampled, nats", "largest beyond two errors", "test information minus the sampled, bits"], rows)}

{len(points)} places, {settings["rows"]} digits to learn from, {r["test_rows"]} to test on. Evidence by {settings["annealing"]["runs"]} runs of {settings["annealing"]["temperatures"]} temperatures from the prior, which owes nothing to EP, and as
many back (largest error {max(p["error"] for p in points):.2f} nats, median {sorted(p["error"] for p in points)[len(points) // 2]:.2f}; {span([p["effective_runs"] for p in points], 0)} runs effective), information
by {settings["chains"]["chains"]} chains of {settings["chains"]["draws"]} draws (worst R-hat {max(p["r_hat"] for p in points):.3f}). {contours_unknown(points)}
{contours_best(r)} The most sampled information is {r["most_information"]:.3f} bits.
A mean over few draws misses part of what rare ones know: at the widest priors sampled information is too low rather than EP's too high.

{contours_off(r)} {contours_fault(r, longer)}
"""


def place(at):
    return f"({at[0]:.2f}, {at[1]:.2f})"


def contours_best(r):
    """Where the sampled evidence is largest, as far as its errors tell."""
    best, sides = r["best"], (r["settings"]["log_length"], r["settings"]["log_amplitude"])
    edge = any(v in (side[0], side[-1]) for v, side in zip(best["at"], sides, strict=True))
    level = [p["at"] for p in r["points"] if p["at"] != best["at"] and best["log_evidence"] - p["log_evidence"] <= 2 * math.hypot(best["error"], p["error"])]
    text = f"The most sampled evidence on this grid is {best['log_evidence']:.1f} ± {best['error']:.1f} at {place(best['at'])}{', on its edge' if edge else ''}"
    if not level:
        return text + ", beyond two errors above all others."
    around = [span([at[k] for at in (*level, best["at"])], 2) for k in (0, 1)]
    return (f"{text}; {len(level)} other places are within two errors of it (log ℓ {around[0]}; log σ_f {around[1]}), so that where the maximum is"
            f"{', and whether it is on the edge,' if edge else ''} cannot be told.")


def contours_unknown(points, nats=2.0):
    """Places where sampling itself tells little."""
    far = [p for p in points if p["error"] > nats]
    return f"Known to {nats:g} nats or better are all but {listed([place(p['at']) for p in far])}." if far else f"All are known to {nats:g} nats or better."


def contours_off(r):
    """EP against the sampled evidence in stated errors, and the place where it is farthest off beside the next one along σ_f."""
    points = r["points"]
    off = [p["ep"]["log_evidence"] - p["log_evidence"] for p in points]
    beyond = {k: sum(abs(d) > k * p["error"] for d, p in zip(off, points, strict=True)) for k in (2, 3)}
    i = max(range(len(points)), key=lambda k: abs(off[k]))
    worst, columns = points[i], len(r["settings"]["log_length"])
    near = points[i - columns if i >= columns else i + columns]
    sampled, ep = worst["log_evidence"] - near["log_evidence"], worst["ep"]["log_evidence"] - near["ep"]["log_evidence"]
    steps = [(off[k] - off[k - columns]) / math.hypot(points[k]["error"], points[k - columns]["error"]) for k in range(columns, len(points))]
    return (f"EP's evidence is beyond two stated errors from the sampled at {beyond[2]} places and beyond three at {beyond[3]}; "
            f"it is the lower at {sum(d < 0 for d in off)}. Farthest off is {place(worst['at'])}, by {max(off, key=abs):+.2f} nats, where the sampled is known to "
            f"± {worst['error']:.2f}: it moves by {sampled:+.1f} from {place(near['at'])}, EP by {ep:+.1f}. Such jumps decide little: along σ_f the difference changes by more than two errors in "
            f"{sum(abs(z) > 2 for z in steps)} of {len(steps)} steps, but all places share their random numbers, and neighbours may err alike.")


def contours_fault(r, longer):
    """Whether EP or sampling is at fault where they differ: anneals of more temperatures, at other places."""
    settled = [p for p in (longer or {"points": {}})["points"].values() if p["settled"]]
    if not settled:
        return "Whether EP or sampling is at fault is open."
    mine, near = [], []
    for p in settled:
        mine.append((p["ep"]["log_evidence"] - p["annealed"]["log_evidence"], p["annealed"]["error"]))
        closest = min(r["points"], key=lambda q: math.dist(q["at"], p["at"]))
        near.append((closest["ep"]["log_evidence"] - closest["log_evidence"], closest["error"]))
    runs = [p["annealed"][way]["effective_runs"] for p in settled for way in ("there", "back")]
    here, there = (sum(abs(d) for d, _ in of) / len(of) for of in (near, mine))
    return (f"At the {len(settled)} places of the section above, with {longer['settings']['annealing']['temperatures'] / r['settings']['annealing']['temperatures']:.3g} times the temperatures "
            f"({span(runs, 0)} of {longer['settings']['annealing']['runs']} runs effective), EP is {listed([f'{d:+.2f} ± {e:.2f}' for d, e in mine])} nats from the mean of there and back; at "
            f"the nearest places of the grid it is {listed([f'{d:+.2f} ± {e:.2f}' for d, e in near])}. That is {there:.2f} instead of {here:.2f} nats on average: what shrinks "
            "with more temperatures is an error of the sampling.")


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
    good = [p for p in r["points"].values() if p["settled"]]
    open_ends = [name for name, p in r["points"].items() if not p["settled"]]
    said = "Sampling has settled nowhere."
    if good:
        off = {e: [p[e]["log_evidence"] - p["annealed"]["log_evidence"] for p in good] for e in ("laplace", "ep")}
        error = max(p["annealed"]["error"] for p in good)
        said = (f"Where sampling has settled, EP's log evidence is {listed([f'{o:+.2f}' for o in off['ep']])} nats from the mean of there and back, whose errors are up to "
                f"{error:.2f}, and Laplace's {listed([f'{o:+.1f}' for o in off['laplace']])}.")
    return said + (f" It has **not** settled at {listed(open_ends)} (R-hat, effective draws, or there and back): what is said of these is not yet the truth."
                   if open_ends else "")


def usps_latents(r):
    said = []
    for name, p in list(r["points"].items())[:2]:
        latent, normals = p["latent"], p["latent"]["normals"]
        said.append(f"At {name}, digit {latent['row']}: sampled {latent['mean']:.1f} ± {latent['sd']:.1f} (posterior deviation), Laplace "
                    f"{normals['laplace'][0]:.1f} ± {normals['laplace'][1]:.1f}, EP {normals['ep'][0]:.1f} ± {normals['ep'][1]:.1f}.")
    return "The rows of the picture are those where the two methods' means are farthest apart. " + "\n".join(said)
