"""`nadie anonymize` over tables, as a user types it: no column is published that is not kept or proven harmless."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .test_command import run

PHI = ("4471920", "2020/1234", "J.G.M.", "981123123", "1950-03-04", "1950", "Roca", "7B-12")
HEAD = ["idpac", "num_expediente", "iniciales", "sala", "tfno", "f_nac", "glucosa", "cie10", "nota"]
ROWS = [
    ["4471920", "2020/1234", "J.G.M.", "7B-12", "981123123", "1950-03-04", "112", "E11.9", "Vista por la Dra. Roca."],
    ["4471920", "2020/1234", "J.G.M.", "7B-12", "981123123", "1950-03-04", "99", "I10", "Sin fiebre."],
]


def in_csv(delimiter: str) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows([HEAD, *ROWS])
    return file.getvalue().encode()


def in_xlsx() -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in [HEAD, *ROWS]:
        book.active.append(row)
    book.active["A2"], book.active["F2"] = 4471920, datetime.date(1950, 3, 4)
    book.save(file)
    return file.getvalue()


def in_parquet() -> bytes:
    file = io.BytesIO()
    columns = dict(zip(HEAD, zip(*ROWS, strict=True), strict=True))
    typed: dict[str, Any] = {"idpac": [4471920] * 2, "f_nac": [datetime.date(1950, 3, 4)] * 2, "glucosa": [112, 99]}
    pq.write_table(pa.table({**columns, **typed}), file)
    return file.getvalue()


def in_jsonl() -> bytes:
    rows = [dict(zip(HEAD, row, strict=True)) | {"idpac": 4471920} for row in ROWS]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def cells(content: bytes, name: str) -> list[dict[str, Any]]:
    """The rows of a copy, by column."""
    if name.endswith("sv"):
        return list(csv.DictReader(io.StringIO(content.decode()), delimiter="\t" if name == "t.tsv" else ";"))
    if name == "t.xlsx":
        head, *rows = openpyxl.load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)
        return [dict(zip(map(str, head), row, strict=True)) for row in rows]
    if name == "t.parquet":
        return list(pq.read_table(io.BytesIO(content)).to_pylist())
    return [json.loads(line) for line in content.splitlines()]


TABLES = {
    "t.csv": in_csv(";"), "t.tsv": in_csv("\t"), "t.xlsx": in_xlsx(), "t.parquet": in_parquet(), "t.jsonl": in_jsonl(),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "options", [(), ("--column", "nota"), ("--column", "nota", "--patient-column", "idpac")], ids=len
)
def test_only_proven_columns_stay(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(TABLES[name])
    done = run("anonymize", tmp_path / name, "--out", tmp_path / "out", *options)
    assert done.returncode == 0, done.stderr
    rows = cells((tmp_path / "out" / name).read_bytes(), name)
    assert not any(value in str(rows) for value in PHI)
    assert [str(row["glucosa"]) for row in rows] == ["112", "99"]
    assert [row["cie10"] for row in rows] == ["E11.9", "I10"]
    told = done.stderr.decode()
    assert not any(value in told for value in PHI)
    for said in (
        "idpac (replaced as ID_SUJETO_ASISTENCIA)", "sala (replaced as OTROS_SUJETO_ASISTENCIA, by its name)",
        "glucosa (harmless: measurements)", "cie10 (harmless: codes (CIE))", "nota (searched)",
    ):  # fmt: skip
        assert said in told


def test_the_patient_column_gets_one_surrogate_per_patient(tmp_path: Path) -> None:
    rows = [("4471920", "sin fiebre"), ("5583001", "dolor de rodilla"), ("4471920", "alta")]
    (tmp_path / "t.csv").write_text("ref;nota\n" + "".join(f"{a};{b}\n" for a, b in rows), encoding="utf-8")
    arguments = ("anonymize", tmp_path / "t.csv", "--policy", "research", "--patient-column", "ref")
    assert run(*arguments, "--out", tmp_path / "out").returncode == 0
    first, second, third = (row["ref"] for row in cells((tmp_path / "out/t.csv").read_bytes(), "t.csv"))
    assert first == third != second
    assert not {first, second} & {"4471920", "5583001"}


def test_a_kept_column_that_looks_like_phi_is_told_by_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TABLES["t.csv"])
    arguments = ("anonymize", tmp_path / "t.csv", "--out", tmp_path / "out", "--keep-column", "glucosa")
    done = run(*arguments)
    assert (done.returncode, b"glucosa (kept by the user)" in done.stderr) == (0, True)
    done = run(*arguments, "--keep-column", "idpac")
    assert done.returncode == 1
    assert b"warning t.csv: the column 'idpac' is kept and looks like ID_SUJETO_ASISTENCIA" in done.stderr
    rows = cells((tmp_path / "out/t.csv").read_bytes(), "t.csv")
    assert [row["idpac"] for row in rows] == ["4471920"] * 2
    assert not any(value in str(rows) for value in PHI[1:])


def test_numbers_of_unknown_meaning_are_never_invented(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ingresos;raro;nota\n3;250000;Plaquetas 250000 (normales).\n", encoding="utf-8")
    done = run("anonymize", tmp_path / "t.csv", "--out", tmp_path / "out", "--policy", "research")
    assert done.returncode == 0, done.stderr
    mark = re.escape("[OTROS_SUJETO_ASISTENCIA]")
    row = re.compile(rf"ingresos;raro;nota\n{mark};{mark};Plaquetas \[\w+\] \(normales\)\.\n")
    assert row.fullmatch((tmp_path / "out/t.csv").read_text())
    kept = run(
        "anonymize", tmp_path / "t.csv", "--out", tmp_path / "kept", "--operator", "OTROS_SUJETO_ASISTENCIA=keep"
    )
    assert kept.returncode == 0, kept.stderr
    assert row.fullmatch((tmp_path / "kept/t.csv").read_text())
