"""Loading a model warns if its features depend on code or lists that now behave otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import stamp_fingerprints

from nadie.errors import FeaturesChangedWarning
from nadie.spanish.lexicon import Lexicon
from nadie.storage import add_files, changed_features, fingerprints, read_model, shipped_models, write_model
from nadie.tokens.view import view_of


def test_the_stored_fingerprints_are_those_of_this_version() -> None:
    message = "run benchmarks/same_spans.py, and if the spans are the same, scripts/stamp_fingerprints.py"
    assert fingerprints() == stamp_fingerprints.compute(), message


@pytest.mark.parametrize("name", sorted(shipped_models()))
def test_shipped_models_have_the_features_of_this_version(name: str) -> None:
    stored = json.loads((shipped_models()[name] / "config.json").read_text(encoding="utf-8"))
    if name in ("best", "exhaustive-single"):  # made of other folders, which are checked themselves
        assert not stored.get("features_fingerprint")
    else:
        assert "words" in stored["features_fingerprint"]
    assert changed_features(stored.get("features_fingerprint", {})) == []


def test_other_features_are_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    write_model(path, system="recrf", config={}, card={}, files={}, features=["words", "patterns"])
    read_model(path)
    config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    config["features_fingerprint"] |= {"patterns": "0" * 16, "gone": "0" * 16}
    add_files(path, {"config.json": json.dumps(config).encode()})
    with pytest.warns(FeaturesChangedWarning, match="gone, patterns changed"):
        read_model(path)


@pytest.mark.parametrize(
    ("name", "other", "part"),
    [
        ("view_of", lambda text: view_of(text.upper()), {"words", "tagger", "patterns", "recrf", "recrf_paper"}),
        ("fold", lambda word: word[:3], {"words"}),
        ("window_features", lambda word, lexicon: [[word]], {"recrf"}),
    ],
)
def test_other_behaviour_has_another_fingerprint(
    monkeypatch: pytest.MonkeyPatch, name: str, other: Callable[..., object], part: set[str]
) -> None:
    monkeypatch.setattr(stamp_fingerprints, name, other)
    assert set(changed_features(stamp_fingerprints.compute())) == part


def test_a_word_that_leaves_a_list_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = Lexicon()
    del lexicon._kinds["zurita"]
    monkeypatch.setattr(Lexicon, "shared", lambda: lexicon)
    assert "words" in changed_features(stamp_fingerprints.compute())
