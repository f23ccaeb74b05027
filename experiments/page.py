#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/reproduction.md from the results of the experiments: what was printed, what we get, and where they differ.

    experiments/page.py [--results experiments/results] [--pictures docs/pictures] [--output docs/reproduction.md]
    experiments/page.py --list      the experiments, in the order of the page
"""
import argparse
import os
import pathlib
import sys

from parts.lecture_and_blog import iris, laplace_blog, linear_logistic
from parts.robust_papers import ring_outliers, thyroid_flips, thyroid_outliers
from parts.robust_sampling import robust_sampling
from parts.slides import one_dimension, prior_draws, regression_selection, usps_3v5, usps_contours, usps_sampling
from parts.wording import listed
from stored import stored, whole

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What writes it, heading, source.
PARTS = [
    (ring_outliers, "Ring with outliers", "[KG08], figure 1 and table 1"),
    (thyroid_outliers, "New Thyroid with changed labels", "[KG08], table 2"),
    (thyroid_flips, "New Thyroid, few changed labels", "[KGk], table 1"),
    (robust_sampling, "The models of these tables, sampled", "[KG08], tables 1 and 2; [KGk], table 1"),
    (prior_draws, "Draws from priors", "[R06], slides 6 and 8"),
    (regression_selection, "A covariance chosen by the marginal likelihood", "[R06], slide 10"),
    (one_dimension, "Laplace and EP in one dimension", "[R06], slide 26"),
    (usps_3v5, "USPS, threes and fives", "[R06], slides 27 and 28; [RW06], figures 3.7 and 3.8"),
    (usps_sampling, "USPS by sampling", "[R06], slides 27 and 28"),
    (usps_contours, "USPS by sampling, over the grid", "[R06], slides 27 and 28"),
    (linear_logistic, "Linear logistic regression", "[P12]"),
    (laplace_blog, "Laplace's method on eight points", "[L23]"),
]
BESIDE = {usps_contours: usps_sampling}  # compared with the results of another


def read(results, write):
    return stored(results, write.__name__)


def page(results):
    parts, missing = [], []
    for write, heading, source in PARTS:
        r = read(results, write)
        if r is None:
            missing.append(write.__name__)
            continue
        quick = " **Quick run: few draws, not to be compared.**" if r["quick"] else ""
        text = write(r, read(results, BESIDE[write])) if write in BESIDE else write(r)
        parts.append(f"## {heading}\n\n{source}; `experiments/{write.__name__}.py`.{quick}\n{text}\n"
                     f"![{heading}](PICTURES/{write.__name__}.png)\n")
    absent = f"\nNot here, since they have not been run: {listed(missing)}.\n" if missing else ""
    head = f"""# Published tables and figures, run again

Written by `experiments/page.py`; do not edit. `make reproduce` runs all of it, `experiments/checks.py` checks what must hold; keys are those of
[bibliography.md](DOCUMENTS/bibliography.md). Settings and their reasons stand at the head of each experiment. ε is the rate of wrong labels, v₂ the latent noise.
*EM-EP* is the published learning, *evidence* ours. Log evidences are in nats. Slides 4, 12, 14, 15, 23 and 29 of [R06] are left out, since they illustrate
and have neither data nor a number to compare with: too few basis functions, prior and posterior of a regression, a latent function and its class
probability, the two likelihoods, one step of EP, the shape of a posterior.
{absent}"""
    softmax = read(results, iris)  # of a program in C++
    last = iris(softmax) if softmax else ""
    return "\n".join([head, *parts]).rstrip() + "\n" + last


def written(results, pictures, output):
    """The page as it is at `output`, with links that lead from there."""
    text = page(results)
    for word, folder in (("PICTURES", pictures), ("DOCUMENTS/", ROOT / "docs")):
        place = os.path.relpath(folder, output.resolve().parent)
        text = text.replace(word, place if not word.endswith("/") else "" if place == "." else place + "/")
    return text


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
    if not any(read(options.results, write) for write, _, _ in PARTS):
        sys.exit(f"{options.results} holds no results of any experiment: --results must be a folder that does")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with whole(options.output) as part:
        part.write_text(written(options.results, options.pictures, options.output))
    print(f"page: {options.output}")


if __name__ == "__main__":
    main()
