# SPDX-License-Identifier: MIT
"""Numbers and lists as the page has them."""
import re


def pm(summary, digits=2):
    return f"{summary['mean']:.{digits}f} ± {summary['error']:.{digits}f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def apart(ours, error, printed, printed_error=0.0):
    """Difference in standard errors of it."""
    return (ours - printed) / (error**2 + printed_error**2) ** 0.5


def direction(summary, errors=3):
    """+1 or -1 where a mean is above or below 0 by so many standard errors, 0 where that cannot be told."""
    if not abs(summary["mean"]) > errors * summary["error"]:
        return 0
    return 1 if summary["mean"] > 0 else -1


def deviation(summary):
    """Standard deviation of one draw."""
    return summary["error"] * summary["draws"] ** 0.5


def span(values, digits=1):
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def short(kernel):
    """Text of a kernel with three digits."""
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.3g}", kernel)


def listed(words):
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def counted(parts):
    """The parts that are not zero, as text."""
    return listed([f"{count} {what}" for count, what in parts if count] or ["none"])
