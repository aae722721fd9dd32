"""Keys come from files, the environment and prompts, and choices depend only on them."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from command_line import run_command
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key, Secret
from nadie.errors import ConfigError

from .marked import KEY, OTHER_KEY, marked

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


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Secret.from_file(tmp_path / "none")


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NADIE_TEST_KEY", raising=False)
    assert Secret.from_environment("NADIE_TEST_KEY") is None
    monkeypatch.setenv("NADIE_TEST_KEY", LONG.decode())
    found = Secret.from_environment("NADIE_TEST_KEY")
    assert found is not None
    assert found.key().digest("x") == Secret(LONG).key().digest("x")


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
    passphrase, salt = b"una clave que no conoce mi vecino", b"la sal de este hospital"
    stretched = hashlib.scrypt(passphrase, salt=salt, n=32768, r=8, p=1, maxmem=1 << 26, dklen=32)
    assert Secret(passphrase, salt).key().to_text() == stretched.hex()
    assert KEY.name == "05fef71866288520"
    assert [KEY.number(10**40, "a", "b"), KEY.number(7, "a", "b")] == [136360832919468390210048808854103009318, 1]
    assert len(Secret.random().key().to_text()) == 64


@pytest.mark.parametrize(
    "passphrase",
    [
        "hospital2026",
        "Hospital2026!Hospital2026!",
        "HospitalUniversitario2026",
        "hospital universitario la paz 2026",
        "h0sp1tal gen3ral 2026",
        "contraseña del hospital de murcia",
        "ContraseñaSegura2026",
        "clavesecretahospital",
        "12345678901234567890",
        "98765432109876543210987654321098",
        "qwertyuiopasdfghjkl",
        "abcdefghijklmnopqrstuvwxyz",
        "aaaaaaaabbbbbbbbccccddddeeeeffff",
        "xyxyxyxyxyxyxyxyxyxy",
        "una clave corta",
    ],
)
def test_passphrases_that_can_be_guessed(passphrase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key"
    file.write_text(passphrase, encoding="utf-8")
    monkeypatch.setenv("NADIE_TEST_KEY", passphrase)
    for secret in (Secret.from_file(file), Secret.from_environment("NADIE_TEST_KEY"), Secret(passphrase.encode())):
        assert secret is not None
        with pytest.raises(ConfigError, match="can be guessed") as told:
            secret.key()
        assert passphrase not in str(told.value)
        assert secret.key(for_old_values=True)


@pytest.mark.parametrize(
    "material",
    [
        *(b"cobre lirio tormenta nevada zapato", b"x8#kQ!2pLm9z@Wq4", "ñandú, brújula y tres peces".encode()),
        *(base64.b64encode(bytes(range(7, 250, 8))), bytes(range(7, 250, 8)), bytes(range(7, 250, 8)).hex().encode()),
    ],
)
def test_keys_that_cannot_be_guessed(material: bytes) -> None:
    assert Secret(material).key()


def test_a_passphrase_needs_a_salt_and_a_random_key_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NADIE_SALT")
    file = tmp_path / "key"
    file.write_bytes(LONG)
    for secret in (Secret(LONG), Secret.from_file(file)):
        with pytest.raises(ConfigError, match="has no salt"):
            secret.key()
    assert Secret.random().key().name != Secret.random().key().name
    keys = [Secret(LONG, salt).key().name for salt in (b"a", b"b")]
    (tmp_path / "key.salt").write_bytes(b"a\n")
    monkeypatch.setenv("NADIE_SALT", "b")
    assert [Secret.from_file(file).key().name, Secret(LONG).key().name] == keys
    assert keys[0] != keys[1]
    assert Secret.from_text(Secret(LONG, b"a").to_text()).key().name == keys[0]


def test_the_commands_for_keys(tmp_path: Path) -> None:
    def run(*arguments: str | Path) -> tuple[int, str]:
        done = run_command(*arguments, environment={"NADIE_SALT": ""})
        return done.returncode, done.stderr.decode()

    key, phrase, note = tmp_path / "key", tmp_path / "phrase", tmp_path / "nota.txt"
    note.write_text("Paciente: Ana Ruiz Gil.", encoding="utf-8")
    phrase.write_bytes(LONG)
    phrase.chmod(0o600)
    anonymize = ("anonymize", note, "--policy", "research", "--key-file")
    assert run("key", "new", key)[0] == 0
    assert run("key", "new", key)[0] == 2
    assert key.stat().st_mode & 0o777 == 0o600
    assert run(*anonymize, key)[0] == 0
    code, told = run(*anonymize, phrase)
    assert (code, "nadie key salt" in told) == (2, True)
    assert run("key", "salt", phrase)[0] == 0
    assert run("key", "salt", phrase)[0] == 2
    assert run(*anonymize, phrase)[0] == 0


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


def test_each_release_has_a_key_of_its_own() -> None:
    secret = Secret(LONG)
    first, second = secret.key(release="2026-a"), secret.key(release="2026-b")
    assert len({key.name for key in (secret.key(), first, second)}) == 3
    assert first.name == Key.of(secret, "2026-a").name == secret.key().of_release("2026-a").name
    assert first.of_release("2026-b").name == second.name
    assert secret.key().of_release("").name == secret.key().name
    assert Key.random().of_release("a").is_random


def test_releases_share_shifts_and_nothing_else() -> None:
    document = marked("{Ana Ruiz Gil|P}, NHC {4738291|ID}, visita {3/4/2024|D}, tel. {600123123|TEL}.", patient="7")
    texts = [Engine(read_policy("research"), KEY.of_release(name)).run(document).text for name in ("", "a", "b")]
    fields = [dict(zip(("name", "record", "visit", "phone"), text.split(", "), strict=True)) for text in texts]
    assert [len({each[field] for each in fields}) for field in ("name", "record", "visit", "phone")] == [3, 3, 1, 3]
