"""Fingerprints of the code and lists that the features of models are computed by.

A model that is given other features than those it was trained with gets worse, without any error. So a model folder
has the fingerprints of the parts that its features depend on, and `storage.py` compares them with those of this version
when it loads the folder. The latter are in `fingerprint.json`: `scripts/stamp_fingerprints.py` writes them, and a test
computes them again from the sources.
"""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from importlib.resources import files
from pathlib import Path

PARTS = {
    "words": (
        *("spanish/folding.py", "spanish/lexicon.py", "spanish/tables.py", "spanish/data/lexicon/*"),
        *("spanish/data/countries.tsv", "spanish/data/professions.tsv", "spanish/data/peoples.tsv"),
        *("tokens/tokenizer.py", "tokens/view.py"),
    ),
    "tagger": ("tokens/tagger/*.py", "tokens/tagger/data/weights.npz"),
    "patterns": (
        *("detectors/patterns/**/*.py", "expressions.py", "spanish/calendar.py", "spanish/check_digits.py"),
        *("spanish/kinship.py", "spanish/names.py", "spanish/numbers.py", "spanish/data/headings.txt"),
        *("spanish/data/places.txt", "spanish/data/public_bodies.txt", "spanish/data/running_words.txt"),
    ),
    "recrf": tuple(f"detectors/recrf/{name}.py" for name in ("context_features", "rules", "sequence", "word_features")),
}


def compute() -> dict[str, str]:
    """The fingerprints of the sources as they are now; comments and docstrings do not count."""
    root = Path(str(files("nadie")))
    found = {}
    for part, patterns in PARTS.items():
        digest = hashlib.sha256()
        paths = {pattern: list(root.glob(pattern)) for pattern in patterns}
        if missing := [pattern for pattern, matched in paths.items() if not matched]:
            raise FileNotFoundError(f"{part}: nothing matches {', '.join(missing)}")
        for path in sorted({path for matched in paths.values() for path in matched}):
            content = path.read_bytes()
            digest.update(_code(content.decode()) if path.suffix == ".py" else content)
            digest.update(b"\0")
        found[part] = digest.hexdigest()[:16]
    return found


def _code(source: str) -> bytes:
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip()).encode()
