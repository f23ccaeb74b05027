# SPDX-License-Identifier: MIT
"""What `verbose` shows."""
from __future__ import annotations

import contextlib


@contextlib.contextmanager
def progress(verbose: int):
    """A function to tell how far learning has come, or None."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda stage, evaluations, best: print(f"{stage}: {evaluations} evaluations, best {best:.2f}", flush=True)
        return
    with tqdm(unit=" evaluations") as bar:
        def tell(stage, evaluations, best):
            bar.set_description(stage)
            bar.update()
        yield tell


@contextlib.contextmanager
def sampling_progress(verbose: int):
    """The same of sampling, which knows how much there is to do."""
    if not verbose:
        yield None
        return
    yield lambda stage, done, total: done % 100 == 0 and print(f"{stage}: {done} of {total}", flush=True)
