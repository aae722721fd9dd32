"""Loading a model warns if its features depend on code or lists that have changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nadie import fingerprint
from nadie.errors import FeaturesChangedWarning
from nadie.storage import add_files, changed_features, fingerprints, read_model, shipped_models, write_model


def test_the_stored_fingerprints_are_those_of_the_sources() -> None:
    message = "run benchmarks/same_spans.py, and if the spans are the same, scripts/stamp_fingerprints.py"
    assert fingerprints() == fingerprint.compute(), message


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
    write_model(path, system="recrf", settings={}, card={}, files={}, features=["words", "patterns"])
    read_model(path)
    config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    config["features_fingerprint"] |= {"patterns": "0" * 16, "gone": "0" * 16}
    add_files(path, {"config.json": json.dumps(config).encode()})
    with pytest.warns(FeaturesChangedWarning, match="gone, patterns changed"):
        read_model(path)


def test_comments_and_docstrings_do_not_count() -> None:
    bare = 'def f() -> str:\n    return "# no comment"\n'
    documented = '"""What f does."""\n\ndef f() -> str:  # why\n    """It\n    does."""\n\n    return "# no comment"\n'
    assert fingerprint._code(bare) == fingerprint._code(documented) != fingerprint._code(bare.replace("no ", ""))
