"""Keys come from files, the environment and prompts, and choices depend only on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.anonymize.secret import Key, Secret
from nadie.errors import ConfigError

from .marked import KEY, OTHER_KEY

LONG = b"una clave bastante larga"


def test_a_secret_shows_itself_to_nobody() -> None:
    assert "clave" not in repr(Secret(b"clave")) + str(Secret(b"clave"))
    assert "kkk" not in repr(KEY)


def test_line_ends_of_a_file_do_not_count(tmp_path: Path) -> None:
    keys = set()
    for name, content in (("a", LONG), ("b", LONG + b"\n"), ("c", LONG + b"\r\n")):
        (tmp_path / name).write_bytes(content)
        keys.add(Secret.from_file(tmp_path / name).key().digest("x"))
    assert len(keys) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        LONG * 4000,
        b"una clave corta",
        b"xyxyxyxyxyxyxyxyxyxy",
        b"\xef\xbb\xbf" + LONG,
        LONG.decode().encode("utf-16"),
    ],
)
def test_bad_key_files(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(ConfigError):
        Secret.from_file(tmp_path / "key")


def test_a_key_file_that_others_can_read_is_a_concern(tmp_path: Path) -> None:
    file = tmp_path / "key"
    for mode, told in ((0o600, 0), (0o640, 1)):
        file.write_bytes(LONG)
        file.chmod(mode)
        assert sum("chmod 600" in concern for concern in Secret.from_file(file).concerns()) == told
    assert ["guessed" in concern for concern in Secret(b"una clave").concerns()] == [True]


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Secret.from_file(tmp_path / "none")


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NADIE_TEST_KEY", raising=False)
    assert Secret.from_environment("NADIE_TEST_KEY") is None
    monkeypatch.setenv("NADIE_TEST_KEY", "una clave")
    found = Secret.from_environment("NADIE_TEST_KEY")
    assert found is not None
    assert found.key().digest("x") == Secret(b"una clave").key().digest("x")


def test_no_prompt_without_a_terminal() -> None:
    with pytest.raises(ConfigError, match="no terminal"):
        Secret.from_prompt("Clave")


def test_parts_do_not_run_together() -> None:
    assert KEY.digest("a", "bc") != KEY.digest("ab", "c")
    assert KEY.digest("a", "") != KEY.digest("a")


def test_choices_are_the_same_for_a_key_and_differ_between_keys() -> None:
    pool = [str(n) for n in range(1000)]
    first = [KEY.choose(pool, lambda c: True, str(n)) for n in range(50)]
    assert first == [KEY.choose(pool, lambda c: True, str(n)) for n in range(50)]
    assert first != [OTHER_KEY.choose(pool, lambda c: True, str(n)) for n in range(50)]
    assert len(set(first)) > 40


def test_the_last_acceptable_one_is_found() -> None:
    pool = [str(n) for n in range(500)]
    assert KEY.choose(pool, lambda c: c == "377", "x") == "377"
    assert KEY.choose(pool, lambda c: False, "x") is None
    assert KEY.choose([], lambda c: True, "x") is None


def test_characters_of_any_number() -> None:
    drawn = KEY.characters("0123456789", 200, "x")
    assert len(drawn) == 200
    assert set(drawn) == set("0123456789")
    assert drawn[:10] == KEY.characters("0123456789", 10, "x")


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(ConfigError):
        Key(b"short")
