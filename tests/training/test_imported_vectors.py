"""Word vectors made elsewhere, in the four formats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from command_line import run_command
from nadie.errors import ConfigError
from nadie.training.vectors import load_vectors

pytest.importorskip("gensim")
WORDS = ("de", "García", "garcía", "10", "año")
VALUES = np.array([[0.5, -1.0, 0.25], [1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0, 0.5, 0.0], [-0.5, 0.5, 1.5]])


def written(folder: Path, form: str) -> list[Path | str]:
    path = folder / "vectors"
    rows = [f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, VALUES, strict=True)]
    if form == "word2vec text":
        path.write_text(f"{len(WORDS)} 3\n{''.join(rows)}", encoding="utf-8")
    elif form == "word2vec binary":
        body = b"".join(w.encode() + b" " + v.astype(np.float32).tobytes() for w, v in zip(WORDS, VALUES, strict=True))
        path.write_bytes(f"{len(WORDS)} 3\n".encode() + body)
    elif form == "GloVe text":
        path.write_text("".join(rows), encoding="utf-8")
    else:
        halves = np.stack([VALUES * 0.25, VALUES * 0.75])
        path.write_bytes(np.concatenate([halves, np.ones((2, len(WORDS), 1))], axis=2).tobytes())
        names = folder / "vocab.txt"
        names.write_text("".join(f"{word} {9 - i}\n" for i, word in enumerate(WORDS)), encoding="utf-8")
        return [path, "--vocabulary", names]
    return [path]


@pytest.mark.parametrize("form", ["word2vec text", "word2vec binary", "GloVe text", "GloVe binary"])
def test_every_format_gives_the_same_vectors(tmp_path: Path, form: str) -> None:
    done = run_command("vectors", "import", *written(tmp_path, form), "--out", tmp_path / "v")
    assert done.returncode == 0, done.stderr
    vectors = load_vectors(tmp_path / "v")
    assert vectors.words == WORDS
    assert np.allclose(vectors.dense(), VALUES, atol=0.02)


def test_most_keeps_the_first(tmp_path: Path) -> None:
    for form in ("GloVe text", "GloVe binary"):
        run_command("vectors", "import", *written(tmp_path, form), "--most", "2", "--out", tmp_path / "v")
        assert load_vectors(tmp_path / "v").words == WORDS[:2]


def test_a_network_that_folds_takes_the_most_frequent_form(tmp_path: Path) -> None:
    run_command("vectors", "import", *written(tmp_path, "GloVe text"), "--out", tmp_path / "v")
    folded = load_vectors(tmp_path / "v").keyed(folded=True)
    assert folded.words == ("de", "garcia", "00", "año")
    assert np.allclose(folded.dense()[1], VALUES[1], atol=0.02)
    with pytest.raises(ConfigError, match="--as-written"):
        folded.keyed(folded=False)


@pytest.mark.parametrize(
    "content", [b"", b"3 2\nde 0.1\n", b"\x80\x04\x95", b"de uno dos\n", b"2 2\nde nan 1\nla 1 1\n"]
)
def test_another_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad").write_bytes(content)
    done = run_command("vectors", "import", tmp_path / "bad", "--out", tmp_path / "v")
    assert done.returncode == 2, done.stdout
    assert not (tmp_path / "v").exists()
