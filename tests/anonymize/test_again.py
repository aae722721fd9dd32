"""Outputs of nadie given to nadie again, and restoring a part: through the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from command_line import run_command
from nadie.run.output_mark import is_labelled

KEY = {"NADIE_KEY": "frase de paso larga para la prueba 7", "NADIE_VAULT_KEY": "otra frase de paso larga, 8"}
NOTE = "Paciente: Ana Pérez Soto, NHC 4471902. Visita el 12/03/2019. Dra. Marta Llorente Gil.\n"


def anonymize(folder: Path, *options: str | Path) -> tuple[int, str]:
    done = run_command("anonymize", folder, *options, environment=KEY)
    return done.returncode, done.stderr.decode()


def test_an_output_is_not_anonymized_again_and_keeps_one_policy(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "n.txt").write_text(NOTE, encoding="utf-8")
    out, second = tmp_path / "out", tmp_path / "second"
    assert anonymize(tmp_path / "in", "--out", out)[0] == 0
    assert anonymize(tmp_path / "in", "--out", out)[0] == 0
    code, said = anonymize(out, "--out", second)
    assert code != 0
    assert "output of nadie" in said
    assert anonymize(out / "n.txt", "--out", second)[0] != 0
    assert not second.exists()
    code, said = anonymize(tmp_path / "in", "--out", out, "--policy", "hipaa-safe-harbor")
    assert code != 0
    assert "choose another folder" in said
    assert anonymize(out, "--out", second, "--again")[0] == 0
    assert anonymize(tmp_path / "in", "--out", out, "--policy", "hipaa-safe-harbor", "--again")[0] == 0


def test_an_output_is_noticed_in_subfolders_above_and_in_copies(tmp_path: Path) -> None:
    (tmp_path / "in" / "planta" / "p1").mkdir(parents=True)
    (tmp_path / "in" / "planta" / "p1" / "n.txt").write_text(NOTE, encoding="utf-8")
    out, second = tmp_path / "all" / "out", tmp_path / "second"
    for policy in ("research", "default"):
        shutil.rmtree(tmp_path / "all", ignore_errors=True)
        assert anonymize(tmp_path / "in", "--out", out, "--policy", policy, "--rename", "keep")[0] == 0
        shutil.copytree(out, tmp_path / f"copy-{policy}")
        below = out / "planta" / "p1"
        for given in (below, below / "n.txt", tmp_path / "all", tmp_path / f"copy-{policy}" / "planta"):
            code, said = anonymize(given, "--out", second)
            assert code != 0
            assert "output of nadie" in said
    shutil.copy(below / "n.txt", tmp_path / "alone.txt")
    code, said = anonymize(tmp_path / "alone.txt", "--out", second)
    assert code != 0
    assert "has labels of nadie" in said
    assert anonymize(tmp_path / "alone.txt", "--out", second, "--again")[0] == 0


@pytest.mark.parametrize(
    ("text", "is_output"),
    [
        ("Tel. [NUMERO_TELEFONO].", True),
        ("Tel. [NUMERO_TELEFONO_2].", True),
        ("El [FECHAS] en [HOSPITAL].", True),
        ("Membrete: [HOSPITAL]. Firma: [HOSPITAL].", False),
        ("Placa [NUMERO].", False),
    ],
)
def test_labels_of_nadie_in_a_text(text: str, is_output: bool) -> None:
    assert is_labelled(text) is is_output


def test_a_part_is_restored_by_role_and_after_edits(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "n.txt").write_text(NOTE, encoding="utf-8")
    out, vault = tmp_path / "out", tmp_path / "v"
    assert anonymize(tmp_path / "in", "--out", out, "--vault", vault, "--policy", "research")[0] == 0
    options = ("--vault", vault, "--out")
    done = run_command("restore", out, *options, tmp_path / "a", "--only", "staff", environment=KEY)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "a" / "n.txt").read_text(encoding="utf-8")
    assert "Marta Llorente Gil" in text
    assert "Ana Pérez" not in text
    written = (out / "n.txt").read_text(encoding="utf-8")
    (out / "n.txt").write_text(written.partition(". Visita")[0] + " vino hoy.\n", encoding="utf-8")
    assert run_command("restore", out, *options, tmp_path / "b", environment=KEY).returncode != 0
    done = run_command("restore", out, *options, tmp_path / "c", "--edited", environment=KEY)
    assert (tmp_path / "c" / "n.txt").read_text(encoding="utf-8") == "Paciente: Ana Pérez Soto, NHC 4471902 vino hoy.\n"
    said = done.stderr.decode()
    assert "could not be placed" in said
    assert "FECHAS" in said
    assert run_command("restore", out, *options, tmp_path / "d", "--only", "nadie", environment=KEY).returncode != 0
