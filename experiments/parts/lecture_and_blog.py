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


def iris(r):
    state = "converged" if r["converged"] else "did not converge"
    return f"""
## Iris by softmax Laplace

[P12], last slides; `experiments/iris`. The lecture fixes σ_f = 1 and prints pictures only. Here amplitude, lengthscale and a constant are learned,
on petal length and width, standardised: `{short(r["covariance"])}`, log evidence {r["log_evidence"]:.2f} ({state}).

![Iris](PICTURES/iris.png)

Many classes with wrong labels, after [HHD11]: [multiclass.md](DOCUMENTS/multiclass.md).
"""
