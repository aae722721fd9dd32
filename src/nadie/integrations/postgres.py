"""Anonymizes a PostgreSQL table into another one in batches; an interrupted job continues where it stopped.

Rows are read in the order of the primary key, and each batch is written in one transaction together with a checkpoint.
So a job that is killed loses nothing and does nothing twice, and if it is run again later it processes the rows added
since then, if their keys are greater.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from nadie.anonymize.engine import Anonymized
from nadie.document import Document
from nadie.errors import ConfigError, Failure, MissingExtraError, NadieError
from nadie.run.documents import Run, RunOptions
from nadie.run.pipeline import batches

try:
    import psycopg
    from psycopg import sql
except ModuleNotFoundError:
    raise MissingExtraError("PostgreSQL", "postgres") from None

_CHECKPOINTS = "nadie_checkpoint"
_FAILURES = "nadie_failures"


class DatabaseError(NadieError):
    """An error of PostgreSQL. Only its code is given, because its messages may quote values."""


@dataclass(frozen=True)
class TableJob:
    """What to anonymize: the `texts` of each row of `source`, into `target`, which is created if it does not exist.

    The target gets the anonymized texts, and the columns of `keep` unchanged: everything else may identify somebody and
    is left out, also the primary key, unless it is kept. `patient` is the column that identifies the patient. Names of
    tables may include a schema.
    """

    source: str
    target: str
    primary_key: str
    texts: Sequence[str]
    patient: str = ""
    keep: Sequence[str] = ()
    batch: int = 500

    @property
    def name(self) -> str:
        return f"{self.source} to {self.target}"


class Done(NamedTuple):
    """The number of rows written by a run, and the number of texts that could not be anonymized, which are null."""

    rows: int
    failed: int


@dataclass
class _TableRow:
    """A row in progress; `left` are the numbers of the texts that are not done."""

    key: Any
    texts: list[str | None]
    kept: list[Any]
    left: deque[int]
    failures: list[str] = field(default_factory=list)

    def take(self, result: Anonymized | Failure) -> None:
        number = self.left.popleft()
        if isinstance(result, Anonymized):
            self.texts[number] = result.text
        else:
            self.texts[number] = None
            self.failures.append(result.cause.kind)


def anonymize_table(
    connection: str,
    job: TableJob,
    options: RunOptions,
    *,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Done:
    """Run a job, or continue it. `connection` is a libpq connection string, which may leave the password to libpq.

    `progress` is called after each batch with the number of rows written. The options need a key, because otherwise
    rows done later would be inconsistent with earlier ones. Texts that fail are listed, with the reason, in
    `nadie_failures`.
    """
    if options.key.is_random:
        raise ConfigError("a key is needed to anonymize a table, so that a job can be continued")
    with _errors(), psycopg.connect(connection) as reading, psycopg.connect(connection) as writing:
        table = _Table(reading, writing, job, _fingerprint(job, options))
        rows = failed = 0
        with Run(options, workers) as run:
            waiting: deque[_TableRow] = deque()
            results = run.anonymize(_documents(table.rows(), job, waiting))
            for batch in batches(_finished(results, waiting), job.batch):
                table.write(batch)
                rows, failed = rows + len(batch), failed + sum(len(row.failures) for row in batch)
                if progress:
                    progress(rows)
    return Done(rows, failed)


class _Table:
    """The two tables and the checkpoint between them."""

    def __init__(
        self, reading: psycopg.Connection, writing: psycopg.Connection, job: TableJob, fingerprint: str
    ) -> None:
        self._reading = reading
        self._writing = writing
        self._job = job
        self._fingerprint = fingerprint
        self._columns = [*job.texts, *job.keep]
        self._type = self._type_of_key()
        self._prepare()
        self._last = self._checkpoint()

    def rows(self) -> Iterator[tuple[_TableRow, str]]:
        """The rows that are not done yet, each with its patient; read in chunks."""
        job, last = self._job, self._last
        wanted = [job.primary_key, *self._columns, *([job.patient] if job.patient else [])]
        key = sql.Identifier(job.primary_key)
        after = sql.SQL("WHERE {} > %s::{}").format(key, sql.SQL(self._type))
        while True:
            query = sql.SQL("SELECT {columns} FROM {source} {after} ORDER BY {key} LIMIT {count}").format(
                columns=sql.SQL(", ").join(map(sql.Identifier, wanted)),
                source=_named(job.source),
                after=after if last is not None else sql.SQL(""),
                key=key,
                count=job.batch,
            )
            found = self._reading.execute(query, (last,) if last is not None else ()).fetchall()
            self._reading.commit()  # do not hold a transaction open for hours
            for values in found:
                texts = [None if value is None else str(value) for value in values[1 : 1 + len(job.texts)]]
                kept = list(values[1 + len(job.texts) : 1 + len(self._columns)])
                patient = str(values[-1]) if job.patient and values[-1] is not None else ""
                left = deque(number for number, text in enumerate(texts) if text is not None)
                yield _TableRow(values[0], texts, kept, left), patient
            if len(found) < job.batch:
                return
            last = str(found[-1][0])

    def write(self, rows: Sequence[_TableRow]) -> None:
        """Write rows, their failures, and the checkpoint in one transaction."""
        job = self._job
        insert = sql.SQL("INSERT INTO {target} ({columns}) VALUES ({values})").format(
            target=_named(job.target),
            columns=sql.SQL(", ").join(map(sql.Identifier, self._columns)),
            values=sql.SQL(", ").join(sql.Placeholder() * len(self._columns)),
        )
        failures = [(job.name, str(row.key), reason) for row in rows for reason in row.failures]
        with self._writing.transaction(), self._writing.cursor() as cursor:
            cursor.executemany(insert, [(*row.texts, *row.kept) for row in rows])
            if failures:
                cursor.executemany(f"INSERT INTO {_FAILURES} VALUES (%s, %s, %s)", failures)  # noqa: S608
            cursor.execute(
                f"UPDATE {_CHECKPOINTS} SET last = %s, rows = rows + %s, at = now() WHERE job = %s",  # noqa: S608
                (str(rows[-1].key), len(rows), job.name),
            )

    def _type_of_key(self) -> Any:
        """The PostgreSQL type of the primary key; the column must define an order of the rows."""
        query = """
            SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
            JOIN pg_index i ON i.indrelid = a.attrelid AND a.attnum = i.indkey[0]
            WHERE a.attrelid = to_regclass(%s) AND a.attname = %s
              AND i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attnotnull
        """
        found = self._reading.execute(query, (_quoted(self._job.source), self._job.primary_key)).fetchone()
        self._reading.commit()
        if found is None:
            raise ConfigError(
                f"{self._job.primary_key!r} is not the primary key of {self._job.source!r}, nor unique and not null"
            )
        return found[0]

    def _prepare(self) -> None:
        """Create missing tables, and make sure that no other process runs the same job."""
        job = self._job
        target = sql.SQL("CREATE TABLE IF NOT EXISTS {target} AS SELECT {columns} FROM {source} WITH NO DATA").format(
            target=_named(job.target),
            columns=sql.SQL(", ").join(map(sql.Identifier, self._columns)),
            source=_named(job.source),
        )
        with self._writing.transaction():
            is_free = self._writing.execute("SELECT pg_try_advisory_lock(hashtext(%s))", (job.name,)).fetchone()
            if not is_free or not is_free[0]:
                raise ConfigError(f"another process is running the job {job.name!r}")
            self._writing.execute(
                f"CREATE TABLE IF NOT EXISTS {_CHECKPOINTS} (job text PRIMARY KEY, options text NOT NULL, last text,"
                " rows bigint NOT NULL DEFAULT 0, at timestamptz NOT NULL DEFAULT now())"
            )
            self._writing.execute(
                f"CREATE TABLE IF NOT EXISTS {_FAILURES} (job text NOT NULL, key text NOT NULL, reason text NOT NULL)"
            )
            is_new = self._writing.execute("SELECT to_regclass(%s) IS NULL", (_quoted(job.target),)).fetchone()
            self._writing.execute(target)
            if is_new and is_new[0] and job.primary_key in job.keep:
                key = sql.SQL("ALTER TABLE {} ADD PRIMARY KEY ({})")
                self._writing.execute(key.format(_named(job.target), sql.Identifier(job.primary_key)))

    def _checkpoint(self) -> str | None:
        with self._writing.transaction():
            self._writing.execute(
                f"INSERT INTO {_CHECKPOINTS} (job, options) VALUES (%s, %s) ON CONFLICT DO NOTHING",  # noqa: S608
                (self._job.name, self._fingerprint),
            )
            query = f"SELECT options, last FROM {_CHECKPOINTS} WHERE job = %s"  # noqa: S608
            found = self._writing.execute(query, (self._job.name,)).fetchone()
        if found is None or found[0] != self._fingerprint:
            raise ConfigError(f"the job {self._job.name!r} was started with another key, model, policy or columns")
        return None if found[1] is None else str(found[1])


def _documents(rows: Iterable[tuple[_TableRow, str]], job: TableJob, waiting: deque[_TableRow]) -> Iterator[Document]:
    """The texts of the rows; the rows are queued until their results arrive."""
    for row, patient in rows:
        waiting.append(row)
        meta = {"patient": patient} if patient else {}
        for number in tuple(row.left):
            yield Document(f"{job.source}/{row.key}#{job.texts[number]}", row.texts[number] or "", (), meta)


def _finished(results: Iterable[Anonymized | Failure], waiting: deque[_TableRow]) -> Iterator[_TableRow]:
    """The rows with their new texts, in order; a row whose texts are all null is finished immediately."""
    for result in results:
        while not waiting[0].left:
            yield waiting.popleft()
        waiting[0].take(result)
    yield from waiting


def _fingerprint(job: TableJob, options: RunOptions) -> str:
    policy = [options.policy.name, options.policy.scope, options.policy.digest]
    about = [asdict(job) | {"batch": 0}, options.model, asdict(options.detection), policy, options.patient]
    return options.key.fingerprint(json.dumps(about, sort_keys=True, default=str))


def _named(table: str) -> sql.Identifier:
    return sql.Identifier(*table.split("."))


def _quoted(table: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in table.split("."))


@contextmanager
def _errors() -> Iterator[None]:
    """Convert an error of PostgreSQL into one that quotes nothing."""
    try:
        yield
    except psycopg.Error as error:
        code = f", SQLSTATE {error.sqlstate}" if error.sqlstate else ""
        problem = DatabaseError(f"PostgreSQL failed ({type(error).__name__}{code})")
    else:
        return
    raise problem
