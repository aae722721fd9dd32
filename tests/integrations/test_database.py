"""Tables of a real PostgreSQL, MariaDB and SQLite: batches, a checkpoint by primary key, and a job that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from command_line import run_command
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError
from nadie.integrations.database import DatabaseError, TableJob, anonymize_table
from nadie.run.documents import RunOptions

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
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", keep=["id"], batch=16)
    assert anonymize_table(postgres, job, OPTIONS, progress=told.append) == (40, 0)
    assert told == [16, 32, 40]
    found = rows(postgres, job.target)
    assert [row[0] for row in found] == [row[0] for row in rows(postgres, notes)]
    assert sum(row[1] is None for row in found) == 5
    assert "Pérez" not in str(found)
    assert anonymize_table(postgres, job, OPTIONS) == (0, 0)
    with psycopg.connect(postgres) as connection:
        columns = connection.execute(f"SELECT * FROM {job.target} LIMIT 1").description
    assert sorted(column.name for column in columns) == ["id", "nota"]


def test_a_primary_key_that_is_not_kept_is_left_out(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", batch=16)
    assert anonymize_table(postgres, job, OPTIONS) == (40, 0)
    with psycopg.connect(postgres) as connection:
        found = connection.execute(f"SELECT * FROM {job.target}")
        assert [column.name for column in found.description] == ["nota"]
        assert len(found.fetchall()) == 40
    assert anonymize_table(postgres, job, OPTIONS) == (0, 0)


class Stop(Exception):  # noqa: N818
    pass


def test_an_interrupted_job_goes_on(postgres: str, notes: str) -> None:
    whole = TableJob(notes, f"{notes}_whole", "id", ["nota"], patient="nhc", keep=["id"], batch=16)
    anonymize_table(postgres, whole, OPTIONS)
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", keep=["id"], batch=16)

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
from nadie.integrations.database import TableJob, anonymize_table
from nadie.run.documents import RunOptions
options = RunOptions(policy=read_policy("research"), key=Secret(os.environb[b"KEY"]).key(), patient="meta:patient")
job = TableJob(sys.argv[2], sys.argv[2] + "_out", "id", ["nota"], patient="nhc", keep=["id"], batch=4)
anonymize_table(sys.argv[1], job, options, progress=lambda done: print(done, flush=True))
"""


def test_a_killed_job_goes_on(postgres: str, notes: str) -> None:
    whole = TableJob(notes, f"{notes}_whole", "id", ["nota"], patient="nhc", keep=["id"])
    anonymize_table(postgres, whole, OPTIONS)
    command = [sys.executable, "-c", _JOB, postgres, notes]
    environment = {**os.environ, "KEY": KEY.decode()}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"4\n"
        process.kill()
    done = len(rows(postgres, f"{notes}_out"))
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", keep=["id"], batch=4)
    for _ in range(50):  # the server notices that the killed one is gone when it reads next
        try:
            result = anonymize_table(postgres, job, OPTIONS)
            break
        except ConfigError:
            time.sleep(0.1)
    assert result == (40 - done, 0)
    assert rows(postgres, job.target) == rows(postgres, whole.target)


def test_what_is_refused(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], keep=["id"])
    anonymize_table(postgres, job, OPTIONS_WITHOUT_PATIENT)
    with pytest.raises(ConfigError, match="another key"):
        anonymize_table(postgres, job, RunOptions(key=Secret(b"otra clave bastante larga").key()))
    with pytest.raises(ConfigError, match="a key is needed"):
        anonymize_table(postgres, job, RunOptions())
    with pytest.raises(ConfigError, match="not the primary key"):
        anonymize_table(postgres, TableJob(notes, "x", "nota", ["nota"]), OPTIONS)


OPTIONS_WITHOUT_PATIENT = RunOptions(policy=read_policy("research"), key=Secret(KEY).key())


def test_a_text_that_fails_is_null_and_listed_and_the_rest_goes_on(postgres: str, notes: str) -> None:
    job = TableJob(
        notes, f"{notes}_out", "id", ["nota"], keep=["id"]
    )  # no column tells the patient, which the options ask for
    assert anonymize_table(postgres, job, OPTIONS) == (40, 35)
    assert all(row[1] is None for row in rows(postgres, job.target))
    with psycopg.connect(postgres) as connection:
        listed = connection.execute("SELECT reason FROM nadie_failures WHERE job = %s", (job.name,)).fetchall()
    assert set(listed) == {("ConfigError",)}


def test_errors_of_the_server_quote_nothing(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", keep=["id"])
    with psycopg.connect(postgres) as connection:
        connection.execute(f"CREATE TABLE {job.target} (id uuid, nota text CHECK (nota IS NULL))")
    with pytest.raises(DatabaseError) as caught:
        anonymize_table(postgres, job, OPTIONS)
    assert str(caught.value) == "the database failed (CheckViolation, SQLSTATE 23514)"
    assert caught.value.__cause__ is None


def test_of_two_processes_one_is_refused_and_nothing_is_written_twice(postgres: str, notes: str) -> None:
    job = TableJob(notes, f"{notes}_out", "id", ["nota"], patient="nhc", keep=["id"], batch=16)
    results: list[object] = []

    def other(done: int) -> None:
        if not results:
            results.append(anonymize_table(postgres, job, OPTIONS))

    with pytest.raises(ConfigError, match="another process"):
        anonymize_table(postgres, job, OPTIONS, progress=other)
    assert results == [(24, 0)]
    assert len(rows(postgres, job.target)) == 40


_OMOP = """CREATE TABLE note (note_id INTEGER PRIMARY KEY, person_id INTEGER, note_date DATE,
    note_class_concept_id INTEGER, note_title VARCHAR(30), note_text TEXT)"""
_COMMAND = (
    *("database", "note", "research_note", "--key", "note_id", "--text", "note_text", "--text", "note_title"),
    *("--patient", "person_id", "--keep", "note_id", "--keep", "note_class_concept_id"),
)


@pytest.mark.parametrize("database", ["sqlite", "postgres", "mariadb"])
def test_notes_of_omop_by_the_command(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    is_file = database == "sqlite"
    url = f"sqlite:///{tmp_path / 'cdm.db'}" if is_file else str(request.getfixturevalue(database))
    key = tmp_path / "key"
    key.write_bytes(KEY)
    key.chmod(0o600)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text(_OMOP))
        for n in range(1, 8):
            row = {"n": n, "person": n // 2, "text": _note(n)}
            connection.execute(
                sa.text("INSERT INTO note VALUES (:n, :person, '2019-03-01', 44814637, 'Alta', :text)"), row
            )
    engine.dispose()
    environment = {"NADIE_DATABASE": url}
    first = run_command(*_COMMAND, "--key-file", key, environment=environment)
    assert (first.returncode, first.stderr.splitlines()[-1]) == (0, b"7 rows written, 0 texts failed"), first.stderr
    again = run_command(*_COMMAND, "--key-file", key, environment=environment)
    assert again.stderr.splitlines()[-1] == b"0 rows written, 0 texts failed"
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT * FROM research_note ORDER BY note_id")).mappings().fetchall()
    engine.dispose()
    assert [row["note_id"] for row in found] == list(range(1, 8))
    assert set(found[0]) == {"note_id", "note_class_concept_id", "note_title", "note_text"}
    assert "Pérez" not in str(found)
    assert all(row["note_text"].startswith("Paciente: ") for row in found)


def test_what_a_user_may_get_wrong(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with sa.create_engine(url).begin() as connection:
        columns = "id FLOAT PRIMARY KEY, note_text TEXT NOT NULL UNIQUE, part INT NOT NULL"
        connection.execute(sa.text(f"CREATE TABLE note ({columns})"))
        connection.execute(sa.text("CREATE UNIQUE INDEX of_some ON note (part) WHERE part > 1"))
    for wrong, job in (
        ("no table", TableJob("nota", "out", "id", ["note_text"])),
        ("no column 'texto'; there are: id, note_text, part", TableJob("note", "out", "id", ["texto"])),
        ("must be a whole number", TableJob("note", "out", "id", ["note_text"])),
        ("another table", TableJob("note", "main.NOTE", "note_text", ["note_text"])),
        ("another table", TableJob("note", "nadie_checkpoint", "note_text", ["note_text"])),
        ("nor unique", TableJob("note", "out", "part", ["note_text"])),
    ):
        with pytest.raises(ConfigError, match=wrong):
            anonymize_table(url, job, OPTIONS)
    for given in ("secreto@host", "postgresql://ana:clave@1:secreto@host/name"):
        with pytest.raises(ConfigError, match="must be like") as caught:
            anonymize_table(given, TableJob("note", "out", "id", ["note_text"]), OPTIONS)
        assert "secreto" not in str(caught.value)
