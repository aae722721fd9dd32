"""`nadie anonymize` by policy, `nadie restore` and `nadie vault`, as a user types them."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from command_line import run_command
from nadie.storage import shipped_models

ROOT = Path(__file__).resolve().parents[2]
NOTES = {
    "p1/ingreso.txt": "Nombre: Ana Belén.\r\nApellidos: Pérez Soto.\r\nNHC: 7654735.\r\nIngreso: 12/03/2019.\n",
    "p1/alta.txt": "\ufeffPaciente: Ana Belén Pérez Soto. Alta el 15/03/2019. Remitido por: Dr. Luis Gil Vela.\n",
    "p2/nota.txt": "Mujer de 45 años, natural de Lugo. Médico: Luis Gil Vela NºCol: 27 27 47125.\n",
    "p2/nada.txt": "Sin datos.\n",
}

pytestmark = pytest.mark.skipif(not shipped_models(), reason="no model is shipped yet")


def run(*arguments: str | Path, key: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return run_command(*arguments, environment={**environment, **({"NADIE_KEY": key} if key else {})})


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "notes"
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture(scope="module")
def key_file(notes: Path) -> Path:
    path = notes.parent / "key"
    path.write_text("una clave bastante larga\n", encoding="utf-8")
    path.chmod(0o600)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*.txt"))}


@pytest.fixture(scope="module")
def researched(notes: Path, key_file: Path) -> Path:
    """A whole run: outputs, vault, audit and report."""
    base = notes.parent
    result = run(
        "anonymize", notes, "--out", base / "out", "--policy", "research", "--key-file", key_file, "--patient-id",
        "id:^([^/]+)/", "--vault", base / "v", "--audit", base / "a.jsonl", "--report", base / "r.html",
    )  # fmt: skip
    assert (result.returncode, result.stdout) == (0, b""), result.stderr
    assert result.stderr == b"4 handled, 0 failed\n"
    return base


def test_research(researched: Path) -> None:
    out = {name: text.decode() for name, text in contents(researched / "out").items()}
    assert set(out) == set(NOTES)
    everything = "".join(out.values())
    for value in ("Pérez", "Belén", "7654735", "12/03/2019", "Lugo", "47125", "Vela"):
        assert not re.search(rf"\b{value}\b", everything)
    assert out["p2/nada.txt"] == NOTES["p2/nada.txt"]
    assert out["p1/alta.txt"].startswith("\ufeffPaciente: ")
    surnames = out["p1/ingreso.txt"].split("Apellidos: ")[1].split(".")[0]
    assert surnames in out["p1/alta.txt"]


def test_audit_and_report(researched: Path) -> None:
    lines = [json.loads(line) for line in (researched / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    first, *documents, last = lines
    assert {line["document"] for line in documents} == {name.removesuffix(".txt") for name in NOTES}
    assert first["run"]["model"]["sha256"]
    assert first["run"]["policy"]["name"] == "research"
    assert first["run"]["operators"]["FECHAS"] == "shift"
    assert not any({"model", "policy", "detection", "key"} & set(line) for line in documents)
    assert {"started", "nadie", "python", "policy", "key", "model", "detection"} <= set(first["run"])
    assert first["run"]["detection"]["mode"] == "balanced"
    assert not first["run"]["key"]["random"]
    assert (last["end"]["handled"], last["end"]["failed"], last["end"]["without_patient"]) == (4, 0, 0)
    page = (researched / "r.html").read_text(encoding="utf-8")
    assert "p2/nada" in page
    assert first["run"]["started"] in page
    assert first["run"]["key"]["name"] in page
    for word in ("Pérez", "7654735", "Sin datos"):
        assert word not in page
        assert word not in json.dumps(lines, ensure_ascii=False)


def test_restore(researched: Path, key_file: Path) -> None:
    back = researched / "back"
    result = run("restore", researched / "out", "--vault", researched / "v", "--key-file", key_file, "--out", back)
    assert result.returncode == 0, result.stderr
    assert contents(back) == {name: text.encode() for name, text in NOTES.items()}


def test_restore_with_a_wrong_key_writes_nothing(researched: Path) -> None:
    back = researched / "never"
    vault = (researched / "v").read_bytes()
    result = run(
        "restore", researched / "out", "--vault", researched / "v", "--out", back, NADIE_VAULT_KEY="otra clave"
    )
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr
    assert b"key" in result.stderr
    assert not back.exists() or not contents(back)
    assert (researched / "v").read_bytes() == vault


def test_restoring_a_changed_text_fails_for_it_alone(researched: Path, key_file: Path, tmp_path: Path) -> None:
    for name, text in contents(researched / "out").items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_bytes(text + (b"!" if "alta" in name else b""))
    result = run(
        "restore", tmp_path / "out", "--vault", researched / "v", "--key-file", key_file, "--out", tmp_path / "back"
    )
    assert result.returncode == 1
    assert b"3 handled, 1 failed" in result.stderr
    assert set(contents(tmp_path / "back")) == set(NOTES) - {"p1/alta.txt"}


def test_two_workers_give_the_same(researched: Path, notes: Path, key_file: Path, tmp_path: Path) -> None:
    result = run(
        "anonymize", notes, "--out", tmp_path / "out", "--policy", "research", "--key-file", key_file, "--patient-id",
        "id:^([^/]+)/", "--workers", "2", "--audit", tmp_path / "a.jsonl",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert contents(tmp_path / "out") == contents(researched / "out")
    lines = [(folder / "a.jsonl").read_text(encoding="utf-8").splitlines()[1:-1] for folder in (tmp_path, researched)]
    assert lines[0] == lines[1]


def test_vault_commands(researched: Path, key_file: Path, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    vault.write_bytes((researched / "v").read_bytes())
    assert b"4 entries" in run("vault", "check", vault, "--key-file", key_file).stderr
    assert (
        run(
            "vault", "rotate", vault, "--key-file", key_file, NADIE_NEW_VAULT_KEY="otra clave bastante larga"
        ).returncode
        == 0
    )
    assert run("vault", "check", vault, "--key-file", key_file).returncode == 2
    assert run("vault", "check", vault, NADIE_VAULT_KEY="otra clave bastante larga").returncode == 0
    vault.write_bytes(vault.read_bytes()[:-5])
    assert b"no valid end" in run("vault", "check", vault, NADIE_VAULT_KEY="otra clave bastante larga").stderr
    saved = run("vault", "recover", vault, NADIE_VAULT_KEY="otra clave bastante larga")
    assert b"4 entries saved, 0 lost" in saved.stderr
    assert run("vault", "check", vault, NADIE_VAULT_KEY="otra clave bastante larga").returncode == 0


def test_encrypted_values_come_back_without_a_vault(notes: Path, tmp_path: Path) -> None:
    out, back = tmp_path / "out", tmp_path / "back"
    arguments = ("anonymize", notes / "p2" / "nota.txt", "--out", out, "--operator", "NAME=encrypt", "--operator")
    assert run(*arguments, "TERRITORIO=encrypt", key="una clave bastante larga").returncode == 0
    text = (out / "nota.txt").read_text(encoding="utf-8")
    assert ":cif1." in text
    assert "Vela" not in text
    assert run("restore", out, "--out", back, key="una clave bastante larga").returncode == 0
    assert "Luis Gil Vela" in (back / "nota.txt").read_text(encoding="utf-8")
    assert run("restore", out, "--out", back, key="otra clave bastante larga").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--policy", "recerch"], b"research"),
        (["--policy", "gdpr-pseudonymise"], b"needs a key"),
        (["--operator", "FECHAS"], b"LABEL=OPERATOR"),
        (["--operator", "FECHAS=nope"], b"no operator"),
        (["--patient-id", "who"], b"meta:FIELD"),
        (["--key-file", "nowhere"], b"nowhere"),
        (["--vault", "v"], b"no terminal"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], told: bytes, notes: Path, tmp_path: Path) -> None:
    result = run("anonymize", notes, "--out", tmp_path / "out", *arguments)
    assert result.returncode == 2
    assert told in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_document_without_its_patient_fails_and_the_rest_goes_on(notes: Path, tmp_path: Path) -> None:
    result = run(
        "anonymize",
        notes,
        "--out",
        tmp_path / "out",
        "--policy",
        "research",
        "--patient-id",
        "id:^(p1)/",
        key="una clave bastante larga",
    )
    assert result.returncode == 1
    assert b"2 handled, 2 failed" in result.stderr
    assert set(contents(tmp_path / "out")) == {"p1/alta.txt", "p1/ingreso.txt"}


@pytest.mark.parametrize(("policy", "key", "told"), [("research", "", 1), ("research", "una clave bastante larga", 0)])
def test_a_run_without_a_key_says_that_the_next_one_will_differ(
    notes: Path, tmp_path: Path, policy: str, key: str, told: int
) -> None:
    done = run("anonymize", notes / "p1" / "alta.txt", "--policy", policy, "--out", tmp_path / "out", key=key)
    assert done.returncode == 0
    assert done.stderr.count(b"the next run will differ") == told


def test_labels_are_the_same_without_a_key(notes: Path, tmp_path: Path) -> None:
    done = run("anonymize", notes / "p1" / "alta.txt", "--out", tmp_path / "out")
    assert b"will differ" not in done.stderr


def test_no_help_text_teaches_a_secret_on_the_command_line() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    helps = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "nadie" / "cli").glob("*.py"))
    assert not re.findall(r"NADIE_\w*(?:KEY|PASSPHRASE)=\S+", pages + helps)
