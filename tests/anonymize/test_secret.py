"""Keys come from files, the environment and prompts, and choices depend only on them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace

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
        Secret.from_prompt("Passphrase")


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


def test_a_passphrase_gives_the_same_key_in_every_version() -> None:
    """Another key would give other surrogates, and dates shifted otherwise, to the patients of earlier runs."""
    passphrase, salt = b"una clave que nadie conoce", b"nadie: keys of operators, version 1"
    stretched = hashlib.scrypt(passphrase, salt=salt, n=32768, r=8, p=1, maxmem=1 << 26, dklen=32)
    assert Secret(passphrase).key().to_text() == stretched.hex()
    assert KEY.name == "05fef71866288520"
    assert [KEY.number(10**40, "a", "b"), KEY.number(7, "a", "b")] == [136360832919468390210048808854103009318, 1]
    assert len(Secret.random().key().to_text()) == 64


@pytest.mark.parametrize(
    ("material", "weak"), [(b"abcdefghijklmnop", False), (b"abcdefghijklmno", True), (b"abcde" * 4, True)]
)
def test_keys_that_can_be_guessed(material: bytes, weak: bool) -> None:
    assert bool(Secret(material).concerns()) is weak
    assert not Secret(b"abcdef" * 3).concerns()


@pytest.mark.parametrize(("answers", "twice", "ok"), [("xx", True, True), ("xy", True, False), ("x", False, True)])
def test_a_prompt_asks_twice(monkeypatch: pytest.MonkeyPatch, answers: str, twice: bool, ok: bool) -> None:
    given = iter(answers)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("getpass.getpass", lambda question: next(given))
    if ok:
        assert Secret.from_prompt("Passphrase", twice=twice).stretch(b"s", log2_n=4, r=1, p=1)
        assert not list(given)
    else:
        with pytest.raises(ConfigError, match="differ"):
            Secret.from_prompt("Passphrase", twice=twice)


def test_the_longest_key_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"abcdefgh" * 8_192)
    assert Secret.from_file(path)
    path.write_bytes(b"abcdefgh" * 8_192 + b"i")
    with pytest.raises(ConfigError, match="larger than"):
        Secret.from_file(path)


def test_every_element_is_tried_before_none_is_accepted() -> None:
    pool = [str(number) for number in range(200)]
    for wanted in ("0", "1", "77", "199"):
        assert KEY.choose(pool, wanted.__eq__, "x") == wanted
    assert KEY.choose(pool, lambda _: False, "x") is None
