"""A worker process: loads the models and does jobs, one after the other, until its input ends.

    python -m nadie.service.workers.worker

It is started by `pool.py`; messages are sent over its standard streams. Secrets are in the first message and
never on a command line. Output printed by libraries is discarded, because it could be document text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.document import Document, Span
from nadie.errors import Failure, NadieError
from nadie.files.container import LINKS
from nadie.resolve.completing import complete
from nadie.run.documents import RunOptions, handled
from nadie.run.explaining import Explanation, explanations
from nadie.service.keyed import SERVICE
from nadie.service.problems import ProblemError, problem_of
from nadie.service.workers.jobs import (
    JOB,
    SETUP,
    TAKEN,
    AnnotateJob,
    AnonymizeJob,
    AnyJob,
    CopyJob,
    ExplainJob,
    Failed,
    Original,
    OriginalJob,
    PagesJob,
    Setup,
    Started,
    UploadJob,
    read_message,
    write_message,
)
from nadie.service.workers.rewriting_uploads import FileSecrets, copied, rewritten
from nadie.service.workers.showing_pages import shown_pages
from nadie.service.workers.uploads import load_formats, read_upload

_WARM_UP = "Paciente: Ana Pérez Soto, de 70 años, natural de Cuenca. Firma la Dra. Inés Gil, Hospital Central."
_MOST_ENGINES = 64


class Worker:
    """The models and policies of one process."""

    def __init__(self, setup: Setup) -> None:
        keys = setup.keys()
        key = keys.named(SERVICE)
        self._pipelines = {
            name: RunOptions(folder, setup.detection, key=key).pipeline() for name, folder in setup.models.items()
        }

        for pipeline in self._pipelines.values():
            pipeline.anonymize(_WARM_UP)  # load everything that is otherwise loaded on first use

        @lru_cache(maxsize=_MOST_ENGINES)
        def engine(policy: str, key: str) -> Engine:
            return RunOptions(policy=read_policy(policy), key=keys.named(key)).engine()

        self._engine = engine
        self._keys = keys
        self._digest_key = setup.digest_key()
        load_formats()

    def do(self, job: AnyJob) -> Sequence[object]:
        """One result for each document: the result of the job, or `Failed`."""
        if isinstance(job, UploadJob):
            return [_result_or_failure(partial(read_upload, job.file))]
        if isinstance(job, PagesJob):
            return [_result_or_failure(partial(shown_pages, job.file))]
        if isinstance(job, ExplainJob):
            return [_result_or_failure(partial(self._explain, job))]
        if isinstance(job, OriginalJob | CopyJob):
            return [_result_or_failure(partial(self._write, job))]
        results: Sequence[object]
        if isinstance(job, AnnotateJob):
            results = handled(job.documents, partial(self._annotate, job))
        else:
            results = handled(job.documents, partial(self._anonymize, job))
        return [_failed(item) if isinstance(item, Failure) else item for item in results]

    def _write(self, job: OriginalJob | CopyJob) -> Original:
        engine = self._engine(job.policy, job.key)
        secrets = FileSecrets(job.key, self._keys.named(job.key).derive(LINKS), self._digest_key)
        if isinstance(job, OriginalJob):
            return rewritten(job, engine, secrets)
        return copied(job, replace(self._pipelines[job.model], engine=engine), secrets)

    def _annotate(self, job: AnnotateJob, documents: Sequence[Document]) -> Iterable[list[Span]]:
        for document in job.options.applied(self._pipelines[job.model]).annotate_all(documents):
            yield [replace(span, score=round(span.score, 4)) for span in document.spans]

    def _explain(self, job: ExplainJob) -> tuple[Explanation, ...]:
        return tuple(explanations(job.document, self._pipelines[job.model].detector))

    def _anonymize(self, job: AnonymizeJob, documents: Sequence[Document]) -> Iterable[Anonymized]:
        engine = self._engine(job.policy, job.key)
        if job.model is None:
            return (engine.run(complete(document, engine.kept)) for document in documents)
        return replace(job.options.applied(self._pipelines[job.model]), engine=engine).anonymize_all(documents)


def _result_or_failure(work: Callable[[], object]) -> object:
    """The result of work on a file, or `Failed`."""
    try:
        return work()
    except ProblemError as problem:
        return Failed(problem.type, problem.detail, {key: str(value) for key, value in problem.extra.items()})
    except Exception as error:
        return _failed(Failure.of(error))


def _failed(failure: Failure) -> Failed:
    problem = problem_of(failure.cause)
    return Failed(problem.type, problem.detail)


def main() -> int:
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    messages = sys.stdin.buffer
    setup = read_message(messages, SETUP)
    if setup is None:
        return 0
    try:
        worker = Worker(setup)
    except NadieError as error:
        write_message(replies, Started(str(error)))
        return 2
    except Exception as error:
        write_message(replies, Started(f"a worker could not start ({type(error).__name__})"))
        return 2
    write_message(replies, Started())
    while (job := read_message(messages, JOB)) is not None:
        replies.write(TAKEN)
        replies.flush()
        write_message(replies, worker.do(job))
    return 0


if __name__ == "__main__":
    sys.exit(main())
