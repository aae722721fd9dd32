"""Train the part-of-speech tagger from UD AnCora and write its weights into the package.

    python scripts/train_tagger.py TREEBANK_FOLDER

The folder has es_ancora-dev.conllu and es_ancora-test.conllu. Every fourth sentence of the latter is held out for the
accuracy that is printed at the end and by benchmarks/tagger.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nadie.tokens.tagger.fitting import accuracy, fit
from nadie.tokens.tagger.tagger import Tagger
from nadie.tokens.tagger.treebank import read_treebank

_WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "nadie" / "tokens" / "tagger" / "data" / "weights.npz"


def main(folder: Path) -> None:
    test = list(read_treebank(folder / "es_ancora-test.conllu"))
    held_out = test[::4]
    learned = [sentence for i, sentence in enumerate(test) if i % 4]
    weights = fit([*read_treebank(folder / "es_ancora-dev.conllu"), *learned])
    _WEIGHTS.write_bytes(weights.dump())
    print(f"accuracy {100 * accuracy(Tagger(weights), held_out):.2f}, {_WEIGHTS.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
