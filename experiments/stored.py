# SPDX-License-Identifier: MIT
"""Results as they are stored: NAME.json, or packed as NAME.json.gz; and files that are there whole or not at all."""
import contextlib
import gzip
import json
import os


def stored(folder, name):
    """Results of an experiment; None where there are none."""
    plain, packed = folder / f"{name}.json", folder / f"{name}.json.gz"
    if plain.exists() and packed.exists():
        raise SystemExit(f"{plain} and {packed} are both there: remove the older one")
    if packed.exists():
        return json.loads(gzip.decompress(packed.read_bytes()))
    return json.loads(plain.read_text()) if plain.exists() else None


@contextlib.contextmanager
def whole(path):
    """Where to write what becomes `path` at the end."""
    part = path.with_name(path.name + ".part")
    yield part
    os.replace(part, path)
