"""A column of a DataFrame in a real Spark, with two Python workers."""

from __future__ import annotations

import os
import re
import shutil
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest

import nadie
from nadie.anonymize.secret import Secret
from nadie.integrations import arrow as of_arrow

from .notes import CLEAN, LATER, NOTE, OTHER

PASSPHRASE = "una clave bastante larga, y otra"
ROWS = [("1", NOTE), ("1", LATER), ("2", OTHER), (None, NOTE), ("2", None), ("3", CLEAN)] * 3
VALUES = ("Pérez", "Soto", "4471920", "Elena", "Gómez", "5583001", "612 345 678")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spark")
    (folder / "key").write_text(PASSPHRASE)
    return folder


@pytest.fixture(scope="module")
def spark(folder: Path) -> Iterator[Any]:
    """A session whose every log goes to one file, and which keeps its events."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    from pyspark.sql import SparkSession

    (folder / "events").mkdir()
    (folder / "log4j2.properties").write_text(
        "rootLogger.level = info\nrootLogger.appenderRef.file.ref = file\n"
        "appender.file.type = File\nappender.file.name = file\n"
        f"appender.file.fileName = {folder}/spark.log\n"
        "appender.file.layout.type = PatternLayout\nappender.file.layout.pattern = %p %c: %m%n%ex\n"
    )
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        # Said aloud, because the JVM remembers what an earlier session of the same process was given.
        .config("spark.ui.enabled", "true")
        .config("spark.ui.port", "0")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", f"file:{folder}/events")
        .config("spark.local.dir", str(folder))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    java = session.sparkContext._jvm
    assert java is not None
    settings = java.java.net.URI(f"file:{folder}/log4j2.properties")
    java.org.apache.logging.log4j.core.config.Configurator.reconfigure(settings)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(spark: Any, folder: Path) -> Any:
    """From Parquet, as in a hospital: rows that are written in the program are part of the plan."""
    import pyarrow as pa
    import pyarrow.parquet

    rows = {"n": range(len(ROWS)), "nhc": [nhc for nhc, _ in ROWS], "nota": [text for _, text in ROWS]}
    pyarrow.parquet.write_table(pa.table(rows), folder / "notes.parquet")
    return spark.read.parquet(str(folder / "notes.parquet")).repartition(4)


@pytest.fixture(scope="module")
def done(frame: Any, folder: Path) -> Any:
    from nadie.integrations.spark import anonymize

    return anonymize(frame, "nota", patient="nhc", keep=["n"], policy="research", key=folder / "key")


@pytest.fixture(scope="module")
def found(done: Any) -> list[Any]:
    return collected(done)


def collected(frame: Any) -> list[Any]:
    return sorted(frame.collect(), key=lambda row: row["n"])


def test_the_cluster_gives_what_one_process_gives(found: list[Any]) -> None:
    import pyarrow as pa

    rows = {"nhc": [nhc for nhc, _ in ROWS], "nota": [text for _, text in ROWS]}
    secret = Secret(PASSPHRASE.encode())
    expected = of_arrow.anonymize(pa.table(rows), "nota", patient="nhc", policy="research", key=secret)
    assert [row["nota"] for row in found] == expected["nota"].to_pylist()
    assert [row["nota_error"] for row in found] == expected["nota_error"].to_pylist()
    assert [row["nhc"] for row in found] == expected["nhc"].to_pylist()
    assert all(row["nhc"] is None or row["nhc"] not in rows["nhc"] for row in found)


def test_partitions_make_no_difference(frame: Any, folder: Path, found: list[Any]) -> None:
    from nadie.integrations.spark import anonymize

    other = anonymize(frame.repartition(1), "nota", patient="nhc", keep=["n"], policy="research", key=folder / "key")
    assert collected(other) == found


def test_errors_are_in_a_column(found: list[Any]) -> None:
    for row in found:
        assert (row["nota_error"] == "the row has no patient") == (row["nhc"] is None)
        assert row["nota"] is None or row["nota_error"] is None


def test_spans_of_a_column(frame: Any) -> None:
    from nadie.integrations.spark import annotate

    first = collected(annotate(frame, "nota"))[0]
    expected = [(s.start, s.end, s.label) for s in nadie.load("fast").annotate(NOTE).spans]
    assert [(s["start"], s["end"], s["label"]) for s in first["nota_spans"]] == expected
    assert first["nota"] == NOTE


def test_the_model_is_loaded_once_a_worker(frame: Any) -> None:
    def loads(batches: Any) -> Any:
        import pyarrow as pa

        from nadie.integrations import columns

        for _ in batches:
            pass
        told = columns._model.cache_info()
        yield pa.RecordBatch.from_pydict({"misses": [told.misses]})

    assert {row["misses"] for row in frame.mapInArrow(loads, "misses long").collect()} <= {0, 1}


def test_wrong_arguments_are_told_before_the_job(frame: Any) -> None:
    from nadie.integrations.spark import anonymize

    with pytest.raises(nadie.NadieError, match="no column 'texto'"):
        anonymize(frame, "texto")
    with pytest.raises(nadie.NadieError, match="is not text but bigint"):
        anonymize(frame, "n")
    for key in (PASSPHRASE, Secret(PASSPHRASE.encode())):
        with pytest.raises(nadie.NadieError, match="must not contain the key") as told:
            anonymize(frame, "nota", policy="research", key=key)  # type: ignore[arg-type]
        assert PASSPHRASE not in str(told.value)


def test_without_a_key_the_job_fails_instead_of_inventing_at_random(frame: Any) -> None:
    from pyspark.errors import PySparkException

    from nadie.integrations.spark import anonymize

    with pytest.raises(PySparkException, match="needs a key: NADIE_KEY is not set"):
        anonymize(frame.limit(1), "nota", policy="research").collect()


@pytest.mark.usefixtures("found")
def test_no_plan_page_or_log_shows_a_note_or_the_key(spark: Any, folder: Path, done: Any) -> None:
    plan = done._jdf.queryExecution().toString()
    (events,) = (file.read_text() for file in folder.glob("events/**/events_*"))
    # The JVM numbers the executions of all its sessions, and this one need not be the first.
    numbers = sorted(set(re.findall(r'"executionId":(\d+)', events)))
    executions = [_page(spark, f"/SQL/execution/?id={number}") for number in numbers]
    pages = [_page(spark, "/SQL/"), _page(spark, "/environment/"), *executions]
    log = (folder / "spark.log").read_text()
    assert "nota" in plan
    assert any("nota" in page for page in executions)
    assert "SparkListenerSQLExecutionStart" in events
    assert "Asked to cleanup" in log or "Finished task" in log
    for shown in (plan, *pages, events, log):
        assert not [value for value in (PASSPHRASE, *VALUES) if value in shown]


def _page(spark: Any, path: str) -> str:
    """A page of Spark's web interface, which closes a connection if it takes more than 8 seconds to answer."""
    for _ in range(10):
        with (
            suppress(RemoteDisconnected),
            urllib.request.urlopen(spark.sparkContext.uiWebUrl + path, timeout=20) as response,
        ):
            return str(response.read().decode())
    raise AssertionError(f"{path} was not answered in ten attempts")
