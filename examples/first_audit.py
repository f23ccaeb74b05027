# SPDX-License-Identifier: MIT
# %% [markdown]
# # A first audit
#
# New Thyroid: 215 patients, five laboratory tests, and a diagnosis.  We make some of the diagnoses wrong on purpose,
# so that what the audit says can be checked.

# %%
import pathlib

import numpy as np
import pandas as pd

import candor

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "examples"
OUT.mkdir(parents=True, exist_ok=True)

table = pd.read_csv(ROOT / "data" / "new_thyroid.csv")
print(table["label"].value_counts().to_string())

# %% [markdown]
# Twelve rows, drawn once and for all, get a label of another class.

# %%
random = np.random.default_rng(20)
right = table["label"].copy()
classes = sorted(right.unique())
planted = random.choice(len(table), size=12, replace=False)
for row in planted:
    table.loc[row, "label"] = random.choice([c for c in classes if c != right[row]])

# %% [markdown]
# The audit takes the table as it is: columns are inspected, several models are tried, and their evidence says how far
# each is to be believed.  Nothing tells it how many labels are wrong.

# %%
found = candor.audit(table, "label", n_jobs=1)
print(found.summary())
low, high = found.label_error_rate_interval
print(f"share of wrong labels: {found.label_error_rate:.1%}, with 90 % between {low:.1%} and {high:.1%}")

# %% [markdown]
# The most suspicious rows come first.  `p_wrong` is the probability that the label is wrong, `p_given` what all other
# rows say of it.

# %%
rows = found.rows.assign(planted=found.rows["row"].isin(planted))
print(rows.drop(columns=["trusted", "reasons"]).head(15).to_string(index=False, float_format="{:.3f}".format))

suspects = rows[rows["p_wrong"] > 0.5]
print(f"{len(suspects)} labels look wrong; {suspects['planted'].sum()} of them are among the {len(planted)} planted ones")
print(f"among the first {len(planted)} rows are {rows['planted'].head(len(planted)).sum()} planted ones")

# %% [markdown]
# Why the first of them?  Its nearest rows have other labels.

# %%
first = rows.iloc[0]
print(f"row {first['row']} says {first['given']}, {first['suggested']} is suggested:")
print(table.loc[[first["row"]] + [near.row for near in first["reasons"]]].to_string())

# %% [markdown]
# Pictures, and the page to hand to whoever reviews the rows.

# %%
try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed: no pictures")
else:
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from candor.plots import plot_expected_errors

    figure, (first_axes, second_axes) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    found.plot(ax=first_axes)
    plot_expected_errors(found, ax=second_axes)
    figure.savefig(OUT / "first_audit.png", dpi=100)
    print("wrote first_audit.png")

found.report(OUT / "first_audit.html")
print("wrote first_audit.html")

# %% [markdown]
# Labels that are more probably wrong than not may be replaced by what is suggested; the others belong to a reviewer.  A
# higher threshold changes fewer.

# %%
print(f"wrong labels as planted: {(table['label'] != right).sum()}")
for threshold in (0.9, 0.5):
    cleaned = found.apply(threshold)
    print(f"after apply({threshold}): {(cleaned != right).sum()}, with {(cleaned != table['label']).sum()} labels changed")
