# SPDX-License-Identifier: MIT
"""Parts of the page on [P12] and [L23]: linear logistic regression, Laplace's method, Iris."""
from parts.wording import listed, short, table


def linear_logistic(r):
    rows = []
    for name, p in r["problems"].items():
        found = p["maximum_likelihood"]
        ml = "none: separable" if found is None else f"log likelihood {found['log_likelihood']:.3f}"
        for v in p["views"]:
            rows.append([name, ml, f"{v['alpha']:g}", f"{v['log_evidence_weights']:.4f}", f"{v['log_evidence_process']:.4f}",
                         f"{v['mean_off']:.0e}", f"{v['variance_off']:.0e}"])
    return f"""
{table(["classes", "maximum likelihood", "α", "log evidence, weights", "log evidence, process", "means differ by", "variances differ by"], rows)}

Differences are relative to the largest. {" ".join(weights(r))}
"""


def weights(r):
    """By maximum likelihood, with standard errors; where there is none, how weights grow."""
    for name, p in r["problems"].items():
        found = p["maximum_likelihood"]
        if found:
            terms = [f"{term} {w:.2f} ± {e:.2f}" for term, w, e in zip(["constant", *r["settings"]["columns"]], found["weights"], found["errors"], strict=True)]
            yield f"Weights by maximum likelihood of “{name}”, with standard errors, columns standardised: {', '.join(terms)}."
        elif p["separable"]:
            norms = p["weights_at_tiny_alpha"]
            grows = all(a < b for a, b in zip(norms, norms[1:], strict=False))
            yield (f"The classes of “{name}” are separable, and maximum likelihood is refused: with α = 0.01, 0.0001, 0.000001 |w| is "
                   f"{listed([f'{n:.0f}' for n in norms])}, {'and grows as α falls' if grows else 'which does not grow as α falls, against theory'}.")


def laplace_blog(r):
    e = r["log_evidence"]
    return f"""
Log evidence of the eight labels: Laplace {e["laplace"]:.4f} (by the formula, from the mode: {r["by_hand"]:.4f}), EP {e["ep"]:.4f}. With the post's sign the
first is {r["with_the_wrong_sign"]:.4f}, {r["with_the_wrong_sign"] - e["laplace"]:.2f} nats too much; guessing has {r["no_information"]:.4f}. The prediction does not use it. The post's
points are only in its picture: ours are those of seed {r["settings"]["seed"]}, why that one is not recorded, and its numbers cannot be compared.
"""


def iris(r):
    runs = {"σ_f = 1, as in the lecture": r["lecture"], "amplitude and a constant learned, too": r}
    rows = [[name, f"`{short(run['covariance'])}`", f"{run['log_evidence']:.2f}", f"{100 * run['training_accuracy']:.1f}", "yes" if run["converged"] else "no"]
            for name, run in runs.items()]
    lead, fixed, free = r["log_evidence"] - r["lecture"]["log_evidence"], r["lecture"]["training_accuracy"], r["training_accuracy"]
    order = "the same training accuracy" if fixed == free else f"{'more' if free > fixed else 'less'} training accuracy"
    return f"""
## Iris by softmax Laplace

[P12], last slides; `experiments/iris`.

{table(["covariance", "found", "log evidence", "training accuracy, %", "converged"], rows)}

Petal length and width, standardised, and all {len(r["labels"])} flowers. The lecture fixes σ_f = 1, has ℓ estimated by a rule that it does not print, and shows pictures only, so
that there is no number to compare with; here ℓ is at the maximum of the evidence (with the weak prior of learning). A learned amplitude has {abs(lead):.2f} nats
{"more" if lead > 0 else "less"} and {order}.

![Iris](PICTURES/iris.png)

Many classes with wrong labels, after [HHD11]: [multiclass.md](DOCUMENTS/multiclass.md).
"""
