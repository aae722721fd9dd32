"""A table of a real PostgreSQL: batches, a checkpoint by primary key, and a job that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import count

import pytest

from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError
from nadie.integrations.postgres import DatabaseError, TableJob, anonymize_table
from nadie.run import RunOptions

psycopg = pytest.importorskip("psycopg")

KEY = b"una clave bastante larga"
OPTIONS = RunOptions(policy=read_policy("research"), key=Secret(KEY).key(), patient="meta:patient")
_numbers = count()


@pytest.fixture
def notes(postgres: str) -> str:
    """A table of forty notes; its name."""
    name = f"notas_{next(_numbers)}"
    with psycopg.connect(postgres) as connection:
        connection.execute(f"CREATE TABLE {name} (id uuid PRIMARY KEY, nhc text, nota text)")
        connection.cursor().executemany(
            f"INSERT INTO {name} VALUES (md5(%s)::uuid, %s, %s)",
            [
                (
                    str(n),
                    f"NHC{n // 2}",
                    f"Paciente: Ana Belén Pérez Soto. Ingresa el {n % 28 + 1}/03/2019." if n % 9 else None,
                )
                for n in range(40)
            ],
        )
    return name


def _note(number: int) -> str:
    return f"Paciente: Ana Belén Pérez Soto. Ingresa el {number % 28 + 1}/03/2019."


def rows(postgres: str, table: str) -> list[tuple[object, ...]]:
    with psycopg.connect(postgres) as connection:
        return list(connection.execute(f"SELECT id, nota FROM {table} ORDER BY id").fetchall())


def test_every_row_once_and_none_with_its_name(postgres: str, notes: str) -> None:
    told: list[int] = []
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", batch=16)
    assert anonymize_table(postgres, job, OPTIONS, progress=told.append) == (40, 0)
    assert told == [16, 32, 40]
    found = rows(postgres, job.target)
    assert [row[0] for row in found] == [row[0] for row in rows(postgres, notes)]
    assert sum(row[1] is None for row in found) == 5
    assert "Pérez" not in str(found)
    assert anonymize_table(postgres, job, OPTIONS) == (0, 0)
    with psycopg.connect(postgres) as connection:
        columns = connection.execute(f"SELECT * FROM {job.target} LIMIT 1").description
    assert [column.name for column in columns] == ["id", "nota"]


class Stop(Exception):  # noqa: N818
    pass


def test_an_interrupted_job_goes_on(postgres: str, notes: str) -> None:
    whole = TableJob(notes, f"{notes}_whole", "id", ["nota"], patient="nhc", batch=16)
    anonymize_table(postgres, whole, OPTIONS)
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", batch=16)

    def stop(done: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        anonymize_table(postgres, job, OPTIONS, progress=stop)
    assert len(rows(postgres, job.target)) == 16
    assert anonymize_table(postgres, job, OPTIONS) == (24, 0)
    assert rows(postgres, job.target) == rows(postgres, whole.target)


_JOB = """
import os, sys
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.integrations.postgres import TableJob, anonymize_table
from nadie.run import RunOptions
options = RunOptions(policy=read_policy("research"), key=Secret(os.environb[b"KEY"]).key(), patient="meta:patient")
job = TableJob(sys.argv[2], sys.argv[2] + "_out", "id", ["nota"], patient="nhc", batch=4)
anonymize_table(sys.argv[1], job, options, progress=lambda done: print(done, flush=True))
"""


def test_a_killed_job_goes_on(postgres: str, notes: str) -> None:
    whole = TableJob(notes, f"{notes}_whole", "id", ["nota"], patient="nhc")
    anonymize_table(postgres, whole, OPTIONS)
    command = [sys.executable, "-c", _JOB, postgres, notes]
    environment = {**os.environ, "KEY": KEY.decode()}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"4\n"
        process.kill()
    done = len(rows(postgres, f"{notes}_out"))
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", batch=4)
    for _ in range(50):  # the server notices that the killed one is gone when it reads next
        try:
            result = anonymize_table(postgres, job, OPTIONS)
            break
        except ConfigError:
            time.sleep(0.1)
    assert result == (40 - done, 0)
    assert rows(postgres, job.target) == rows(postgres, whole.target)


def test_what_is_refused(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"])
    anonymize_table(postgres, job, OPTIONS_WITHOUT_PATIENT)
    with pytest.raises(ConfigError, match="another key"):
        anonymize_table(postgres, job, RunOptions(key=Secret(b"otra clave bastante larga").key()))
    with pytest.raises(ConfigError, match="a key is needed"):
        anonymize_table(postgres, job, RunOptions())
    with pytest.raises(ConfigError, match="not the primary key"):
        anonymize_table(postgres, TableJob(notes, "x", "nota", ["nota"]), OPTIONS)


OPTIONS_WITHOUT_PATIENT = RunOptions(policy=read_policy("research"), key=Secret(KEY).key())


def test_a_text_that_fails_is_null_and_listed_and_the_rest_goes_on(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"])  # no column tells the patient, which the options ask for
    assert anonymize_table(postgres, job, OPTIONS) == (40, 35)
    assert all(row[1] is None for row in rows(postgres, job.target))
    with psycopg.connect(postgres) as connection:
        listed = connection.execute("SELECT reason FROM nadie_failures WHERE job = %s", (job.name,)).fetchall()
    assert set(listed) == {("ConfigError",)}


def test_errors_of_the_server_quote_nothing(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc")
    with psycopg.connect(postgres) as connection:
        connection.execute(f"CREATE TABLE {job.target} (id uuid, nota text CHECK (nota IS NULL))")
    with pytest.raises(DatabaseError) as caught:
        anonymize_table(postgres, job, OPTIONS)
    assert str(caught.value) == "PostgreSQL failed (CheckViolation, SQLSTATE 23514)"
    assert caught.value.__cause__ is None
