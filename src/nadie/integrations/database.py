"""Anonymizes a table of a database into another one in batches; an interrupted job continues where it stopped.

Rows are read in the order of the key, and each batch is written in one transaction together with a checkpoint. So a job
that is killed loses nothing and does nothing twice, and if it is run again later it processes the rows added since
then, if their keys are greater. The database is any that SQLAlchemy connects to.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from nadie.anonymize.engine import Anonymized
from nadie.document import Document
from nadie.errors import ConfigError, Failure, MissingExtraError, NadieError
from nadie.run.documents import Run, RunOptions
from nadie.run.pipeline import batches

try:
    import sqlalchemy as sa
    from sqlalchemy.dialects.mysql import LONGTEXT
except ModuleNotFoundError:
    raise MissingExtraError("a database", "database") from None

_KEYS: tuple[type, ...] = (int, str, UUID, Decimal)
_LONG_TEXT = sa.UnicodeText().with_variant(LONGTEXT(), "mysql", "mariadb")
_RECORDS = sa.MetaData()
_CHECKPOINTS = sa.Table(
    "nadie_checkpoint",
    _RECORDS,
    sa.Column("job", sa.String(400), primary_key=True),
    sa.Column("options", sa.String(200), nullable=False),
    sa.Column("last", sa.String(400)),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("at", sa.DateTime, nullable=False),
)
_FAILURES = sa.Table(
    "nadie_failures",
    _RECORDS,
    sa.Column("job", sa.String(400), nullable=False),
    sa.Column("key", sa.String(400), nullable=False),
    sa.Column("reason", sa.String(200), nullable=False),
)


class DatabaseError(NadieError):
    """An error of the database. Only its class and code are given, because its messages may quote values."""


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
    url: str,
    job: TableJob,
    options: RunOptions,
    *,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Done:
    """Run a job, or continue it. `url` is that of the database, as SQLAlchemy writes it: `postgresql://host/name`.

    `progress` is called after each batch with the number of rows written. The options need a key, because otherwise
    rows done later would be inconsistent with earlier ones. Texts that fail are listed, with the reason, in
    `nadie_failures`.
    """
    if options.key.is_random:
        raise ConfigError("a key is needed to anonymize a table, so that a job can be continued")
    with _engine(url) as engine:
        table = _Table(engine, job, _fingerprint(job, options))
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

    def __init__(self, engine: sa.Engine, job: TableJob, fingerprint: str) -> None:
        self._engine = engine
        self._job = job
        self._source = _reflected(engine, job.source)
        wanted = [job.primary_key, *job.texts, *job.keep, *([job.patient] if job.patient else [])]
        if missing := sorted(set(wanted) - set(self._source.c.keys())):
            raise ConfigError(
                f"{job.source!r} has no column {missing[0]!r}; there are: {', '.join(self._source.c.keys())}"
            )
        self._wanted = [self._source.c[name] for name in wanted]
        self._key = self._source.c[job.primary_key]
        self._check_key()
        self._target = self._made_target()
        self._last, self._rows = self._checkpoint(fingerprint)

    def rows(self) -> Iterator[tuple[_TableRow, str]]:
        """The rows that are not done yet, each with its patient; read in chunks, with no transaction held open."""
        job, last = self._job, self._last
        ends = 1 + len(job.texts), 1 + len(job.texts) + len(job.keep)
        while True:
            query = sa.select(*self._wanted).order_by(self._key).limit(job.batch)
            with self._engine.connect() as connection:
                found = connection.execute(query if last is None else query.where(self._key > last)).fetchall()
            for values in found:
                texts = [None if value is None else str(value) for value in values[1 : ends[0]]]
                patient = str(values[-1]) if job.patient and values[-1] is not None else ""
                left = deque(number for number, text in enumerate(texts) if text is not None)
                yield _TableRow(values[0], texts, list(values[ends[0] : ends[1]]), left), patient
            if len(found) < job.batch:
                return
            last = found[-1][0]

    def write(self, rows: Sequence[_TableRow]) -> None:
        """Write rows, their failures, and the checkpoint in one transaction."""
        job = self._job
        names = [*job.texts, *job.keep]
        failures = [{"job": job.name, "key": str(row.key), "reason": reason} for row in rows for reason in row.failures]
        mine = (_CHECKPOINTS.c.job == job.name) & (_CHECKPOINTS.c.rows == self._rows)
        done = {"last": str(rows[-1].key), "rows": self._rows + len(rows), "at": sa.func.now()}
        with self._engine.begin() as connection:
            if connection.execute(sa.update(_CHECKPOINTS).where(mine).values(done)).rowcount == 0:
                raise ConfigError(f"another process is running the job {job.name!r}")
            new = [dict(zip(names, (*row.texts, *row.kept), strict=True)) for row in rows]
            connection.execute(sa.insert(self._target), new)
            if failures:
                connection.execute(sa.insert(_FAILURES), failures)
        self._rows += len(rows)

    def _check_key(self) -> None:
        """The key must give the rows an order in which none is left out."""
        job, inspector = self._job, sa.inspect(self._engine)
        table, schema = self._source.name, self._source.schema
        constraints = inspector.get_unique_constraints(table, schema=schema)
        unique: list[Sequence[str | None]] = [each["column_names"] for each in constraints]
        unique += [
            index["column_names"]
            for index in inspector.get_indexes(table, schema=schema)
            if index["unique"] and not any(name.endswith("_where") for name in index.get("dialect_options", {}))
        ]
        is_key = [column.name for column in self._source.primary_key] == [job.primary_key]
        if not is_key and ([job.primary_key] not in unique or self._key.nullable):
            raise ConfigError(f"{job.primary_key!r} is not the primary key of {job.source!r}, nor unique and not null")
        if self._key.type.python_type not in _KEYS:
            raise ConfigError(f"{job.primary_key!r} must be a whole number, a text or a UUID, to continue after it")

    def _made_target(self) -> sa.Table:
        """The target; if it is new, with long texts, since a surrogate may be longer than the original."""
        job, inspector = self._job, sa.inspect(self._engine)
        schema, name = _named(job.target)
        usual = inspector.default_schema_name
        places = [(of or usual, table.casefold()) for of, table in map(_named, (job.source, job.target))]
        if places[0] == places[1] or name.casefold() in _RECORDS.tables:
            raise ConfigError(f"the target {job.target!r} must be another table than the source")
        _RECORDS.create_all(self._engine)
        if inspector.has_table(name, schema=schema):
            return _reflected(self._engine, job.target)
        texts = [sa.Column(text, _LONG_TEXT) for text in job.texts]
        kept = [
            sa.Column(name, self._source.c[name].type, primary_key=name == job.primary_key, autoincrement=False)
            for name in job.keep
        ]
        target = sa.Table(name, sa.MetaData(), *kept, *texts, schema=schema)
        target.create(self._engine)
        return target

    def _checkpoint(self, fingerprint: str) -> tuple[Any, int]:
        """The key of the last row that is done, and the number of rows done; the first run stores the options."""
        new = {"job": self._job.name, "options": fingerprint, "rows": 0, "at": sa.func.now()}
        with self._engine.begin() as connection:
            query = sa.select(_CHECKPOINTS).where(_CHECKPOINTS.c.job == self._job.name)
            found = connection.execute(query).mappings().one_or_none()
            if found is None:
                connection.execute(sa.insert(_CHECKPOINTS).values(new))
                return None, 0
        if found["options"] != fingerprint:
            raise ConfigError(f"the job {self._job.name!r} was started with another key, model, policy or columns")
        last = found["last"]
        return None if last is None else self._key.type.python_type(last), int(found["rows"])


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


def _named(table: str) -> tuple[str | None, str]:
    schema, _, name = table.rpartition(".")
    return schema or None, name


def _reflected(engine: sa.Engine, table: str) -> sa.Table:
    schema, name = _named(table)
    try:
        return sa.Table(name, sa.MetaData(), schema=schema, autoload_with=engine)
    except sa.exc.NoSuchTableError:
        raise ConfigError(f"there is no table {table!r}") from None


@contextmanager
def _engine(url: str) -> Iterator[sa.Engine]:
    """A connection to the database; its errors are converted into ones that quote neither values nor the URL."""
    try:
        engine = sa.create_engine(url, hide_parameters=True)
    except (sa.exc.ArgumentError, ValueError):  # a ValueError quotes a part of the URL, which may be of the password
        raise ConfigError("the URL of the database must be like postgresql://user@host/name") from None
    except ModuleNotFoundError as error:
        raise ConfigError(f"the driver of this database is not installed: pip install {error.name}") from None
    problem = None
    try:
        yield engine
    except sa.exc.SQLAlchemyError as error:
        original = getattr(error, "orig", None) or error
        code = getattr(original, "sqlstate", None)
        problem = f"the database failed ({type(original).__name__}{f', SQLSTATE {code}' if code else ''})"
    finally:
        engine.dispose()
    if problem:
        raise DatabaseError(problem)
