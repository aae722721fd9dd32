"""A small, whole file of every container, for tests that go over all of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq


def csv() -> bytes:
    return 'nhc;nota;peso\r\n1;"Vista Ana ""Muñoz""\nhoy";70,5\r\n2;sin datos de interés;81\r\n'.encode()


def html() -> bytes:
    return (
        b"<!DOCTYPE html><html><head><meta charset='utf-8'><title>Alta de Ana</title></head><body><!-- Ana -->"
        b"<p class=x>Sra. <b>An</b>a Mu&ntilde;oz &amp; hijos</p><table><tr><td>NHC<td title='a'>7654321</table></html>"
    )


def jsonl_table() -> bytes:
    return b'{"nhc": 1, "nota": "Vista Ana Mu\\u00f1oz", "x": [1.5, {"y": null}]}\n{"nhc": 2, "nota": "nada"}\n'


def parquet() -> bytes:
    file = io.BytesIO()
    table = pa.table({"nhc": [1, 2, 3], "nota": ["Vista Ana Muñoz", None, "sin datos de interés"]})
    pq.write_table(table, file, row_group_size=2)
    return file.getvalue()


def xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["nhc", "nota", "peso"])
    book.active.append([1, "Vista Ana Muñoz", 70.5])
    book.create_sheet("Hoja2")["A1"] = "Paciente: Ana Muñoz"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/nota.txt", "Vista Ana Muñoz hoy".encode())
        archive.writestr("a/t.csv", csv())
        archive.writestr("b.html", html())
    return file.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "a.csv": csv,
    "a.html": html,
    "a.jsonl": jsonl_table,
    "a.parquet": parquet,
    "a.xlsx": xlsx,
    "a.zip": zipped,
    "a.txt": lambda: "Vista Ana Muñoz hoy.\r\nNHC 7654321\n".encode(),
}
