"""Tables: chosen columns change, everything else keeps its bytes, its types and its order."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.errors import FormatError
from nadie.files.container import OpenOptions
from nadie.files.containers.markup.json_tree import leaves

from .helpers import anonymized, opened, run_files, texts_of

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]"}
NOTE = OpenOptions(("nota",))
KEPT = OpenOptions(("nota",), keep_columns=("nhc", "peso", "sexo"))
CSV = (
    'nhc;nota;"peso";sexo\r\n1;"Vista ""Ana\nMuñoz"" hoy; NHC 7654321";70,5;F\r\n\r\n'
    "2;sin datos;081;M\r\n3;Ana Muñoz;;F\r\n"
)


def rows_of(content: str, delimiter: str = ";") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content, newline=""), delimiter=delimiter))


class TestCsv:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    def test_only_the_chosen_fields_change(self, encoding: str) -> None:
        content = CSV.encode(encoding)
        assert anonymized(content, "a.csv", {}, KEPT)[0] == content
        copy = anonymized(content, "a.csv", VALUES, KEPT)[0]
        assert copy.startswith(content[:3])
        expected = CSV.replace("Ana\nMuñoz", "[NOMBRE]").replace("7654321", "[ID]").replace("Ana Muñoz", "[NOMBRE]")
        assert copy.decode(encoding) == expected
        assert [len(row) for row in rows_of(copy.decode(encoding))] == [4, 4, 0, 4, 4]

    def test_a_replacement_is_quoted_where_it_must_be(self) -> None:
        copy = anonymized(b"a,nota\n1,Ana\n", "a.csv", {"Ana": 'x, "y"\n'}, NOTE)[0]
        assert copy == b'a,nota\n1,"x, ""y""\n"\n'
        assert rows_of(copy.decode(), ",")[1] == ["1", 'x, "y"\n']

    @pytest.mark.parametrize(
        ("content", "delimiter"),
        [
            ("a,b\n1,Ana\n", ","),
            ("a\tb\r1\tAna\r", "\t"),
            ("sep=|\r\na|b\r\n1|Ana", "|"),
            ("b\nAna", ","),
            ('"a;b",b\n1,Ana', ","),
            ('"a;\n;;",b\n1,Ana', ","),
            ("\r\n\r\na,b\r\n1,Ana\r\n", ","),
        ],
    )
    def test_dialects(self, content: str, delimiter: str) -> None:
        assert texts_of(content.encode(), "a.csv", OpenOptions(("b",)))[-1] == "Ana"
        copy = anonymized(content.encode(), "a.csv", {"Ana": "3"}, OpenOptions(("b",)))[0].decode()
        assert copy == content.replace("Ana", "3")

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b'a,b\n1,"2\n', "inside a quoted field"),
            (b'a,b\n1,"2"x\n', "text after one"), (b"a,b\n\xa4\x81,2\n", "neither UTF-8"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_covered_is_refused(self, content: bytes, told: str) -> None:
        with pytest.raises(FormatError, match=told) as caught:
            anonymized(content, "a.csv", {})
        assert "7654321" not in str(caught.value)

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("a,b\n1,2,654321\n", "a,b\n1,[CAMPO],[CAMPO]\n"),
            ("Ana,7654321\nEva,7654322\n", "[CAMPO],[CAMPO]\n[CAMPO],[CAMPO]\n"),
            ("nota,nota\nVino Ana ayer,Ana vino hoy\n", "nota,nota\nVino X ayer,X vino hoy\n"),
            ('nota,,\n"Vino Ana, ayer" , "Ana vino, hoy",x\n', 'nota,,\n"Vino X, ayer","X vino, hoy",[CAMPO]\n'),
            (f"nota,{'¿Ha tenido dolor en los últimos días? ' * 5}\nVino Ana,no\n", ""),
        ],
    )
    def test_tables_with_unusual_headings_are_read(self, content: str, expected: str) -> None:
        copy = anonymized(content.encode(), "a.csv", {"Ana": "X"})[0].decode()
        assert copy == (expected or content.replace("Ana", "X"))

    def test_a_name_that_two_columns_have(self) -> None:
        with pytest.raises(FormatError, match="two columns with the same name"):
            opened(b"nota;nota\nAna;x\n", "a.csv", OpenOptions(("nota",)))

    def test_a_column_that_is_empty_at_first_is_searched(self) -> None:
        content = "nhc;nota;aviso\n" + "1;visto hoy;\n" * 300 + "2;visto hoy;Ana Muñoz\n"
        assert "Muñoz" not in anonymized(content.encode(), "a.csv", {"Ana Muñoz": "[NOMBRE]"})[0].decode()

    def test_a_column_that_is_not_there(self) -> None:
        with pytest.raises(FormatError, match="no column 'texto'"):
            opened(CSV.encode(), "a.csv", OpenOptions(("texto",)))

    def test_what_is_done_with_each_column(self) -> None:
        content = b"nhc,Nombre,peso,obs,mail\n1,Ana,70.5,Acude hoy por dolor de rodilla,a@b.es\n"
        container = opened(content, "a.csv")
        [text] = container.texts()
        assert text.text == "1\nAna\nAcude hoy por dolor de rodilla\na@b.es"
        assert [s.label for s in text.segments] == [
            "ID_SUJETO_ASISTENCIA", "NOMBRE_SUJETO_ASISTENCIA", None, "CORREO_ELECTRONICO",
        ]  # fmt: skip
        assert container.account.remarks == [
            "columns: nhc (replaced as ID_SUJETO_ASISTENCIA), Nombre (replaced as NOMBRE_SUJETO_ASISTENCIA),"
            " peso (harmless: measurements), obs (searched), mail (replaced as CORREO_ELECTRONICO)"
        ]

    def test_a_first_row_with_data_is_searched_too(self) -> None:
        content = "Ana Muñoz,alta el lunes por la tarde\nEva Gil,sigue con dolor en la rodilla\n".encode()
        copy, account = anonymized(content, "a.csv", VALUES)
        expected = content.replace("Ana Muñoz".encode(), b"[CAMPO]").replace(b"Eva Gil", b"[CAMPO]")
        assert copy == expected
        assert account.remarks[0].startswith(
            "columns: column 1 (replaced as NOMBRE_SUJETO_ASISTENCIA), column 2 (searched"
        )

    def test_the_patient_is_told_by_a_column(self) -> None:
        [first, *_] = opened(CSV.encode(), "a.csv", OpenOptions(("nota",), "nhc")).texts()
        assert first.meta == {"patient": "1"}
        assert (first.segments[0].text, first.segments[0].label) == ("1", "ID_SUJETO_ASISTENCIA")

    def test_a_row_that_fails_is_emptied(self) -> None:
        container = opened(CSV.encode(), "a.csv", KEPT)
        edits = (None for _ in container.texts())
        out = io.BytesIO()
        container.write(edits, out)
        assert out.getvalue().decode() == 'nhc;nota;"peso";sexo\r\n1;"";70,5;F\r\n\r\n2;;081;M\r\n3;;;F\r\n'

    @given(st.lists(st.lists(st.text("a\"';, \r\n\té", max_size=4), min_size=2, max_size=2), max_size=5))
    def test_what_python_writes_comes_back(self, rows: list[list[str]]) -> None:
        file = io.StringIO(newline="")
        csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL).writerows([["nota", "x"], *rows])
        content = file.getvalue().encode()
        options = OpenOptions(keep_columns=("nota", "x"))
        assert anonymized(content, "a.csv", {}, options)[0] == content
        options = OpenOptions(("nota=HOSPITAL",), keep_columns=("x",))
        changed = anonymized(content, "a.csv", {}, options)[0]
        assert rows_of(changed.decode())[1:] == [[first and "[CAMPO]", second] for first, second in rows]


class TestJsonl:
    LINES = '{"nhc": 7, "nota": "Vista Ana Mu\\u00f1oz", "x": [1.50, {"y": "Ana Muñoz"}] }\n\n{"nota": null}\r\n'

    def test_what_is_kept_keeps_its_bytes(self) -> None:
        options = OpenOptions(("nota",), keep_columns=("nhc", "x"))
        copy = anonymized(self.LINES.encode(), "a.jsonl", VALUES, options)[0].decode()
        assert copy == self.LINES.replace("Ana Mu\\u00f1oz", "[NOMBRE]")
        options = OpenOptions(("x",), keep_columns=("nhc", "nota"))
        nested = anonymized(self.LINES.encode(), "a.jsonl", VALUES, options)[0].decode()
        assert nested == self.LINES.replace("Ana Muñoz", "[NOMBRE]")

    def test_nested_values_are_columns_too(self) -> None:
        line = '{"p": {"nhc": 7654321, "tel": ["600123123"], "peso": 70.5}, "nota": "sin fiebre", "v": 44712}\n'
        copy, account = anonymized(line.encode(), "a.jsonl", {}, NOTE)
        assert json.loads(copy) == {
            "p": {"nhc": "[CAMPO]", "tel": ["[CAMPO]"], "peso": 70.5}, "nota": "sin fiebre", "v": "[CAMPO]",
        }  # fmt: skip
        assert "p.nhc (replaced as ID_SUJETO_ASISTENCIA)" in account.remarks[0]

    def test_a_column_that_comes_late(self) -> None:
        lines = '{"nota": "sin fiebre"}\n' * 300 + '{"nota": "x", "ref": 4471920, "nhc": "A1", "peso": 70.5}\n'
        late = json.loads(anonymized(lines.encode(), "a.jsonl", {}, NOTE)[0].splitlines()[-1])
        assert late == {"nota": "[CAMPO]", "ref": "[CAMPO]", "nhc": "[CAMPO]", "peso": 70.5}

    def test_data_in_place_of_names(self) -> None:
        with pytest.raises(FormatError, match=r"line 2.*data in place of a name"):
            anonymized(b'{"a": {"b": 1}}\n{"a": {"7654321": 1}}\n', "a.jsonl", {})

    def test_a_number_in_a_column_of_a_label(self) -> None:
        options = OpenOptions(("nhc=ID_SUJETO_ASISTENCIA",))
        copy = anonymized(self.LINES.encode(), "a.jsonl", {}, options)[0].decode()
        assert json.loads(copy.splitlines()[0])["nhc"] == "[CAMPO]"

    def test_a_line_that_is_no_object(self) -> None:
        with pytest.raises(FormatError, match="line 3"):
            anonymized(b'{"a": "x"}\n{"a": "y"}\n["Ana"]\n', "a.jsonl", {}, OpenOptions(("a",)))

    @given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(), st.lists))
    def test_the_leaves_of_any_json(self, value: object) -> None:
        raw = json.dumps({"a": value}, indent=1)
        found = list(leaves(raw))
        assert all(json.loads(raw[leaf.start : leaf.end]) == leaf.text for leaf in found if leaf.is_string)
        assert sum(leaf.is_string for leaf in found) == sum(isinstance(each, str) for each in _flat(value))

    @pytest.mark.parametrize("raw", ["", "{", '{"a"', '{"a":', '{"a":1,}', "[1 2]", "1 2", "[" * 5000, "{}]", "[,]"])
    def test_what_is_no_json(self, raw: str) -> None:
        with pytest.raises(ValueError, match=r"JSON|Unterminated|Expecting"):
            list(leaves(raw))


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


class TestParquet:
    @pytest.fixture
    def table(self) -> pa.Table:
        return pa.table(
            {
                "nhc": pa.array([1, 2, 3], pa.int32()),
                "nota": pa.array(["Vista Ana Muñoz", None, "NHC 7654321"], pa.large_string()),
                "codigo": pa.array(["A", "B", "A"]).dictionary_encode(),
                "fecha": pa.array([0, 1, 2], pa.date32()),
                "listas": pa.array([[1], [], None], pa.list_(pa.int8())),
            },
            metadata={b"origen": b"x"},
        )

    @staticmethod
    def content(table: pa.Table, rows: int = 2) -> bytes:
        file = io.BytesIO()
        pq.write_table(table, file, compression="zstd", row_group_size=rows)
        return file.getvalue()

    def test_kept_columns_stay_and_keep_their_types(self, table: pa.Table) -> None:
        others = ("nhc", "codigo", "fecha", "listas")
        copy, account = anonymized(
            self.content(table), "a.parquet", VALUES, OpenOptions(("nota",), keep_columns=others)
        )
        again = pq.ParquetFile(io.BytesIO(copy))
        assert again.schema_arrow.equals(pq.read_schema(io.BytesIO(self.content(table))))
        assert again.num_row_groups == 2
        assert again.metadata.row_group(0).column(0).compression == "ZSTD"
        assert again.read().drop_columns("nota").equals(table.drop_columns("nota"))
        assert again.read()["nota"].to_pylist() == ["Vista [NOMBRE]", None, "NHC [ID]"]
        assert not any(value.encode() in copy for value in ("Muñoz", "7654321"))
        assert account.warnings == [
            "the column 'nhc' is kept and looks like ID_SUJETO_ASISTENCIA",
            "the column 'fecha' is kept and looks like FECHAS",
            "the column 'listas' is kept and cannot be searched",
        ]

    def test_lists_are_emptied_and_metadata_removed(self, table: pa.Table) -> None:
        field = table.schema.field("nhc").with_metadata({"autor": "Ana Muñoz"})
        copy, account = anonymized(self.content(table.cast(table.schema.set(0, field))), "a.parquet", VALUES, NOTE)
        again = pq.read_table(io.BytesIO(copy))
        assert again["listas"].to_pylist() == [None, None, None]
        assert again.schema.types == table.schema.types
        assert again.schema.metadata is None
        assert again.schema.field("nhc").metadata is None or b"autor" not in again.schema.field("nhc").metadata
        assert account.uncovered == [
            ("metadata of the column 'nhc'", "removed"),
            ("metadata of the file", "removed"),
            ("column 'listas'", "of the type list<element: int8>, emptied"),
        ]
        assert "Muñoz".encode() not in copy

    def test_single_precision_is_read_with_its_own_digits(self) -> None:
        table = pa.table({"valor": pa.array([5.6, 7.1, 33.3], pa.float32()), "ref": pa.array([7654321.0, None, 1.0])})
        again = pq.read_table(io.BytesIO(anonymized(self.content(table), "a.parquet", {})[0]))
        assert again["valor"].equals(table["valor"])
        assert again["ref"].to_pylist() == [None] * 3

    def test_labels_in_typed_columns_become_null(self, table: pa.Table) -> None:
        options = OpenOptions(("nhc=ID_SUJETO_ASISTENCIA", "fecha=FECHAS"))
        again = pq.read_table(io.BytesIO(anonymized(self.content(table), "a.parquet", {}, options)[0]))
        assert again.schema.equals(table.schema)
        assert again["nhc"].to_pylist() == again["fecha"].to_pylist() == [None] * 3

    def test_a_dictionary_forgets_what_was_replaced(self, table: pa.Table) -> None:
        table = table.set_column(1, "nota", table["nota"].cast(pa.string()).dictionary_encode())
        copy = anonymized(self.content(table), "a.parquet", VALUES, NOTE)[0]
        assert pq.read_table(io.BytesIO(copy))["nota"].to_pylist() == ["Vista [NOMBRE]", None, "NHC [ID]"]
        assert "Muñoz".encode() not in copy

    def test_names_of_columns_and_of_nested_fields_that_may_be_of_persons(self) -> None:
        table = pa.table({
            "Ana Muñoz": ["vino hoy con dolor", "sin dolor"], "nota": ["Vino Ana hoy", "nada nuevo"],
            "visitas": [[{"Ana Muñoz": "Ana"}], []], "huella": pa.array([b"12", b"34"], pa.binary(2)),
        })  # fmt: skip
        copy, account = anonymized(self.content(table), "a.parquet", {"Ana": "X"})
        made = pq.read_table(io.BytesIO(copy))
        assert made.column_names == ["[CAMPO]", "nota", "visitas", "huella"]
        assert made["nota"].to_pylist() == ["Vino X hoy", "nada nuevo"]
        assert made["visitas"].to_pylist() == made["huella"].to_pylist() == [None, None]
        assert "Ana" not in copy.decode("utf-8", "replace")
        assert [place for place, _ in account.uncovered] == ["column 'visitas'", "column 'huella'"]

    @pytest.mark.parametrize(
        "table",
        [
            pa.table({"nota": pa.DictionaryArray.from_arrays([0] * 1024, ["Vino Ana hoy " * 300_000])}),
            pa.table({f"c{n}": pa.nulls(6_000_000, pa.string()) for n in range(10)}),
        ],
        ids=["long strings", "many cells"],
    )
    def test_a_small_file_that_unpacks_to_a_huge_table_is_refused(self, table: pa.Table) -> None:
        content = self.content(table, table.num_rows)
        assert len(content) < 200_000
        with pytest.raises(FormatError, match=r"unpack to more|far more cells"):
            texts_of(content, "a.parquet")

    def test_an_empty_table(self, table: pa.Table) -> None:
        copy = anonymized(self.content(table.slice(0, 0)), "a.parquet", {}, NOTE)[0]
        assert pq.read_table(io.BytesIO(copy)).equals(table.slice(0, 0).replace_schema_metadata(None))

    def test_more_rows_than_a_batch(self) -> None:
        table = pa.table({"nota": [f"n{n} Ana Muñoz" if n % 3 else "" for n in range(5000)], "n": range(5000)})
        options = OpenOptions(("nota",), keep_columns=("n",))
        copy = pq.read_table(io.BytesIO(anonymized(self.content(table, 1500), "a.parquet", VALUES, options)[0]))
        assert copy["nota"].to_pylist() == [f"n{n} [NOMBRE]" if n % 3 else "" for n in range(5000)]
        assert copy["n"].equals(table["n"])


def test_a_table_through_a_whole_run(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,nota\n1,correo ana@hospital.es\n2,nada\n", encoding="utf-8")
    opening = OpenOptions(("nota",), keep_columns=("id",))
    [done] = run_files([tmp_path / "t.csv"], tmp_path / "out", open_options=opening)
    assert (done.name, done.title, done.texts, done.spans) == ("t.csv", "a CSV table", 2, 1)
    assert (tmp_path / "out/t.csv").read_text() == "id,nota\n1,correo [CORREO_ELECTRONICO]\n2,nada\n"
