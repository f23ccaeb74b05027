#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what the program iris has computed: docs/pictures/iris.png.

    build/release/experiments/iris > iris.json
    experiments/iris/picture.py iris.json [--output docs/pictures/iris.png]

A row for the model of the lecture, σ_f = 1, and one with a learned amplitude; in each, three panels with the probability of
each species, one with the species that is most probable.  The colours are told apart with any colour vision (Okabe and Ito's set), the marks by their shape too.
Needs numpy and matplotlib.
"""
import argparse
import json
import pathlib

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.colors import LinearSegmentedColormap  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLOURS = ["#0072B2", "#E69F00", "#CC79A7"]
MARKS = ["o", "^", "s"]
LEVELS = [0.1, 0.3, 0.5, 0.7, 0.9]


def points(axes, data, sizes=13):
    labels = np.array(data["labels"])
    for k, name in enumerate(data["classes"]):
        chosen = labels == k
        axes.scatter(np.array(data["petal_length"])[chosen], np.array(data["petal_width"])[chosen], s=sizes,
                     marker=MARKS[k], facecolor=COLOURS[k], edgecolor="black", linewidth=0.5, label=name)


def frame(axes, title, data):
    axes.set_title(title, fontsize=10)
    axes.set_xlim(data["grid_length"][0], data["grid_length"][-1])
    axes.set_ylim(data["grid_width"][0], data["grid_width"][-1])
    axes.set_xlabel("petal length (cm)", fontsize=9)
    axes.set_ylabel("petal width (cm)", fontsize=9)
    axes.tick_params(labelsize=8)


def probability_panel(axes, data, lengths, widths, p, k):
    name = data["classes"][k]
    shades = LinearSegmentedColormap.from_list(name, ["white", COLOURS[k]])
    axes.contourf(lengths, widths, p, levels=np.linspace(0, 1, 11), cmap=shades)
    lines = axes.contour(lengths, widths, p, levels=LEVELS, colors="black", linewidths=0.7)
    frame(axes, f"probability of {name}", data)
    axes.clabel(lines, levels=LEVELS[1:-1], fmt="%.1f", fontsize=8, manual=clear(axes, lines, data))  # the others lie among the points
    points(axes, data)


def clear(axes, lines, data):
    """Of each line to be numbered the place that is farthest from all flowers and well within the axes, so that the number is whole."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    flowers = (np.column_stack([data["petal_length"], data["petal_width"]]) - low) / (high - low)
    for level, parts in zip(lines.levels, lines.allsegs, strict=True):
        for line in parts if level in LEVELS[1:-1] else []:
            share = (line - low) / (high - low)
            inside = share[np.all(np.abs(share - 0.5) < 0.42, axis=1)]
            if len(inside):
                room = np.linalg.norm(inside[:, None] - flowers, axis=2).min(axis=1)
                yield low + (high - low) * inside[np.argmax(room)]


def region_panel(axes, data, lengths, widths, P, with_legend):
    for k, colour in enumerate(COLOURS):
        lead = P[:, :, k] - np.delete(P, k, axis=2).max(axis=2)
        axes.contourf(lengths, widths, lead, levels=[0, 1], colors=[colour], alpha=0.35)
        axes.contour(lengths, widths, lead, levels=[0], colors="black", linewidths=1.2)
    axes.contour(lengths, widths, P.max(axis=2), levels=[0.6, 0.9], colors="black", linewidths=0.9,
                 linestyles=["dotted", "dashed"])
    points(axes, data)
    handles, names = axes.get_legend_handles_labels()
    handles += [Line2D([], [], color="black", linewidth=0.9, linestyle=style) for style in ("dotted", "dashed")]
    if with_legend:
        axes.legend(handles, [*names, "probability 0.6", "probability 0.9"], fontsize=8, loc="upper left", framealpha=1)
    frame(axes, "most probable species", data)


def draw(data):
    lengths, widths = np.array(data["grid_length"]), np.array(data["grid_width"])
    figure = plt.figure(figsize=(14.4, 7.2), layout="constrained")
    rows = {"σ_f = 1, as in the lecture": data["lecture"], "amplitude and a constant learned, too": data}
    for i, (part, (name, run)) in enumerate(zip(figure.subfigures(2, 1), rows.items(), strict=True)):
        part.suptitle(f"{name}: log evidence {run['log_evidence']:.2f}; lines at probabilities 0.1, 0.3 … 0.9", fontsize=11)
        P = np.array(run["probabilities"]).reshape(len(widths), len(lengths), -1)
        panels = part.subplots(1, 4)
        for k in range(3):
            probability_panel(panels[k], data, lengths, widths, P[:, :, k], k)
        region_panel(panels[3], data, lengths, widths, P, with_legend=i == 0)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "pictures" / "iris.png")
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    figure = draw(json.loads(options.data.read_text()))
    figure.savefig(options.output, dpi=110, metadata={"Software": None},
                   pil_kwargs={"optimize": True})


if __name__ == "__main__":
    main()
