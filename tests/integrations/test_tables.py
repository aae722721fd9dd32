"""A column of a DataFrame of pandas, of one of polars and of a table of Arrow: the same rows, the same output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import dask.dataframe
import pandas
import polars
import pyarrow as pa
import pytest

import nadie
from nadie.anonymize.secret import Secret
from nadie.integrations import arrow as of_arrow
from nadie.integrations import pandas as of_pandas
from nadie.integrations import polars as of_polars
from nadie.integrations.columns import ColumnOptions, anonymized

from .notes import CLEAN, LATER, NOTE, OTHER

SECRET = Secret(b"a key that only these tests have")
ROWS = {
    "nhc": ["44719", "44719", "55830", None, "55830"],
    "nota": [NOTE, LATER, OTHER, NOTE, None],
    "n": [1, 2, 3, 4, 5],
}


def _of_pandas(series: pandas.Series) -> list[Any]:
    return [None if is_empty else value for value, is_empty in zip(series.tolist(), series.isna(), strict=True)]


LIBRARIES: dict[str, tuple[ModuleType, Callable[..., Any], Callable[[Any, str], list[Any]]]] = {
    "pandas": (
        of_pandas,
        pandas.DataFrame,
        lambda frame, name: [None if v is None or v != v else v for v in frame[name].tolist()],
    ),
    "polars": (of_polars, polars.DataFrame, lambda frame, name: frame[name].to_list()),
    "arrow": (of_arrow, pa.table, lambda table, name: table.column(name).to_pylist()),
    "batch": (of_arrow, pa.RecordBatch.from_pydict, lambda table, name: table.column(name).to_pylist()),
}


@pytest.fixture(params=LIBRARIES, name="library")
def _library(request: pytest.FixtureRequest) -> Any:
    return LIBRARIES[request.param]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    model = nadie.load("fast", policy="research", key=SECRET, patient="meta:patient")
    rows = [(NOTE, "44719"), (LATER, "44719"), (OTHER, "55830")]
    return [model.anonymize(nadie.Document("", text, (), {"patient": nhc})) for text, nhc in rows]


def test_a_column_is_anonymized_by_patient(library: Any, expected: list[str]) -> None:
    module, make, values = library
    given = make(ROWS)
    done = module.anonymize(given, "nota", patient="nhc", keep=["n"], policy="research", key=SECRET)
    assert type(done) is type(given)
    assert values(done, "nota") == [*expected, None, None]
    assert values(done, "nota_error") == [None, None, None, "the row has no patient", None]
    first, same, second, none, again = values(done, "nhc")
    assert first == same != second == again
    assert none is None
    assert not {first, second} & {"44719", "55830"}
    assert values(done, "n") == ROWS["n"]
    assert values(given, "nota") == ROWS["nota"]


def test_columns_that_are_not_kept_are_left_out(library: Any) -> None:
    module, make, values = library
    given = make({"nhc": ["4471920"], "telefono": ["981123123"], "nota": ["Sin fiebre."]})
    done = module.anonymize(given, "nota")
    assert list(getattr(done, "column_names", None) or done.columns) == ["nota", "nota_error"]
    done = module.anonymize(given, "nota", patient="nhc")
    assert values(done, "nhc") == ["[ID_SUJETO_ASISTENCIA]"]
    done = module.anonymize(given, "nota", patient="nhc", keep=["nhc"])
    assert values(done, "nhc") == ["4471920"]
    assert "981123123" not in str(done)
    for keep, told in ((["otra"], "has no column 'otra'"), (["nota"], "both kept and anonymized"), ("nhc", "a list")):
        with pytest.raises(nadie.NadieError, match=told):
            module.anonymize(given, "nota", keep=keep)


def test_without_patients_labels_stand_for_values(library: Any) -> None:
    module, make, values = library
    done = module.anonymize(make({"nota": [NOTE, CLEAN]}), "nota")
    assert values(done, "nota") == [nadie.load("fast").anonymize(NOTE), CLEAN]


def test_spans_of_a_column(library: Any) -> None:
    module, make, values = library
    done = module.annotate(make(ROWS), "nota")
    spans = values(done, "nota_spans")
    assert [(s["start"], s["end"], s["label"]) for s in spans[0]] == [
        (s.start, s.end, s.label) for s in nadie.load("fast").annotate(NOTE).spans
    ]
    assert spans[4] is None
    assert values(done, "nota") == ROWS["nota"]
    assert values(done, "nota_error") == [None] * 5


def test_an_empty_table(library: Any) -> None:
    module, make, values = library
    given = make({"nota": ["x"]})
    empty = given.iloc[:0] if isinstance(given, pandas.DataFrame) else given[:0]
    assert values(module.anonymize(empty, "nota"), "nota") == []


def test_wrong_columns_are_told(library: Any) -> None:
    module, make, _ = library
    for columns, more in (({"otra": ["x"]}, {}), ({"nota": ["x"]}, {"patient": "nhc"})):
        with pytest.raises(nadie.NadieError, match="has no column"):
            module.anonymize(make(columns), "nota", **more)
    with pytest.raises(nadie.NadieError, match="already has a column"):
        module.anonymize(make({"nota": ["x"], "nota_error": ["y"]}), "nota")


def test_a_key_as_text_is_refused_without_showing_it(library: Any) -> None:
    module, make, _ = library
    with pytest.raises(nadie.NadieError, match="not a string") as told:
        module.anonymize(make(ROWS), "nota", policy="research", key="hunter2 hunter2")
    assert "hunter2" not in str(told.value)


def test_a_column_without_text_is_an_error(library: Any) -> None:
    module, make, values = library
    if module is of_pandas:
        assert values(module.anonymize(make(ROWS), "n"), "n_error") == ["the cell is not text but int"] * 5
    else:
        with pytest.raises(nadie.NadieError, match="is not text but"):
            module.anonymize(make(ROWS), "n")


def test_the_key_may_be_in_a_file_or_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key"
    file.write_bytes(b"a key that only these tests have\n")
    frame = polars.DataFrame({"nota": [NOTE]})
    by_secret = of_polars.anonymize(frame, "nota", policy="research", key=SECRET)
    by_file = of_polars.anonymize(frame, "nota", policy="research", key=file)
    monkeypatch.setenv("NADIE_KEY", "a key that only these tests have")
    assert by_secret.equals(by_file)
    assert by_secret.equals(of_polars.anonymize(frame, "nota", policy="research"))


def test_row_numbers_and_text_type_of_pandas_stay() -> None:
    frame = pandas.DataFrame({"nota": pandas.array([NOTE, None], dtype="string")}, index=[7, 9])
    done = of_pandas.anonymize(frame, "nota")
    assert list(done.index) == [7, 9]
    assert done["nota"].dtype == frame["nota"].dtype
    assert done["nota"].isna().tolist() == [False, True]


def test_an_index_that_may_be_data_is_left_out() -> None:
    frame = pandas.DataFrame({"nhc": [4471920], "nota": [NOTE]}).set_index("nhc")
    assert list(of_pandas.anonymize(frame, "nota").index) == [0]
    assert list(of_pandas.anonymize(frame, "nota", keep=["nhc"]).index) == [4471920]
    assert list(of_pandas.anonymize(frame.set_axis(["Ana"]), "nota").index) == [0]


def test_numbers_that_pandas_made_floats_are_the_same_patients() -> None:
    whole = of_pandas.anonymize(
        pandas.DataFrame({"nhc": [7], "nota": [NOTE]}), "nota", patient="nhc", policy="research", key=SECRET
    )
    floats = of_pandas.anonymize(
        pandas.DataFrame({"nhc": [7, None], "nota": [NOTE, NOTE]}), "nota", patient="nhc", policy="research", key=SECRET
    )
    assert whole["nota"][0] == floats["nota"][0]
    assert floats["nota_error"][1] == "the row has no patient"


def test_partitions_of_dask_agree(tmp_path: Path, expected: list[str]) -> None:
    file = tmp_path / "key"
    file.write_bytes(b"a key that only these tests have")
    frame = pandas.DataFrame(ROWS)[:3]
    meta = {"nhc": "object", "nota": "object", "nota_error": "object"}
    options = {"patient": "nhc", "policy": "research", "key": file}
    partitions = dask.dataframe.from_pandas(frame, npartitions=2)
    done = partitions.map_partitions(of_pandas.anonymize, "nota", meta=meta, **options).compute(scheduler="threads")
    assert done["nota"].tolist() == expected


def test_one_bad_row_is_its_own_error_and_shows_no_text() -> None:
    pipeline = ColumnOptions.of("fast").pipeline()

    class Fails:
        def anonymize_all(self, documents: list[nadie.Document]) -> list[Any]:
            if any(document.text == OTHER for document in documents):
                raise ValueError(OTHER)
            return list(pipeline.anonymize_all(documents))

    cells = list(anonymized(Fails(), [NOTE, OTHER, CLEAN]))  # type: ignore[arg-type]
    assert [cell.error for cell in cells] == [None, "ValueError while it was being processed", None]
    assert cells[1].value is None
    assert cells[2].value == CLEAN
