"""One worker process: holds the models and does pieces of work, one after the other, until its input ends.

    python -m nadie.service.worker

It is started by `workers.py` and talks over its standard streams. Secrets come in the first message and never stand
on a command line. What a library prints goes nowhere: it might be document text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nadie.document import Document, Span
from nadie.errors import NadieError
from nadie.options import DetectionOptions, Mode
from nadie.run import Pipeline, RunOptions
from nadie.service.anonymizing import Anonymizer
from nadie.service.framing import read_message, write_message
from nadie.service.opening import opened
from nadie.service.problems import ProblemError, problem_of

Fields = Mapping[str, Any]
Result = dict[str, Any]


class Worker:
    """The models and policies of one process."""

    def __init__(self, setup: Fields) -> None:
        options = _options(setup["finding"])
        self._pipelines: dict[str, Pipeline] = {
            name: RunOptions(where, options).pipeline() for name, where in setup["models"].items()
        }
        self._anonymizer = Anonymizer(setup["secret"])
        self._tasks: dict[str, Callable[[list[Fields], Fields], list[Result]]] = {
            "annotate": self._annotate,
            "anonymize": self._anonymize,
            "open": self._open,
        }

    def do(self, job: Fields) -> list[Result]:
        """One result for each document: what was asked for, or the problem that this document has."""
        documents = job["documents"]
        try:
            return self._tasks[job["task"]](documents, job)
        except Exception:  # one bad document must not cost its neighbours their result
            return [self._alone(document, job) for document in documents]

    def _alone(self, document: Fields, job: Fields) -> Result:
        try:
            return self._tasks[job["task"]]([document], job)[0]
        except ProblemError as error:
            problem = error
        except NadieError as error:
            problem = problem_of(error)
        except Exception as error:
            problem = ProblemError("unprocessable", f"a detector or operator failed ({type(error).__name__})")
        return {"problem": problem.kind, "detail": problem.detail}

    def _annotate(self, documents: list[Fields], job: Fields) -> list[Result]:
        return [{"spans": _spans(document)} for document in self._found(documents, job)]

    def _anonymize(self, documents: list[Fields], job: Fields) -> list[Result]:
        return [self._anonymizer(document, job["policy"]) for document in self._found(documents, job)]

    def _open(self, files: list[Fields], job: Fields) -> list[Result]:
        return [{"documents": opened(file)} for file in files]

    def _found(self, documents: list[Fields], job: Fields) -> list[Document]:
        """The documents with their spans. Where spans came with one, a person decided on them: no model is asked."""
        made = [_document(fields) for fields in documents]
        decided = [fields.get("spans") is not None for fields in documents]
        undecided = [document for document, done in zip(made, decided, strict=True) if not done]
        found = self._pipelines[job["model"]].annotate_all(undecided)
        return [document if done else next(found) for document, done in zip(made, decided, strict=True)]


def _options(fields: Fields) -> DetectionOptions:
    lists = {name: Path(fields[name]) for name in ("known", "allow", "deny", "thresholds") if name in fields}
    return DetectionOptions(Mode(fields["mode"]), **lists)


def _document(fields: Fields) -> Document:
    meta = {"patient": fields["patient"]} if fields.get("patient") else {}
    return Document(fields["id"], fields["text"], tuple(Span(*span) for span in fields.get("spans") or ()), meta)


def _spans(document: Document) -> list[list[Any]]:
    return [[span.start, span.end, span.label, round(span.score, 4), span.source] for span in document.spans]


def main() -> int:
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    jobs = sys.stdin.buffer
    try:
        worker = Worker(read_message(jobs) or {})
    except NadieError as error:
        write_message(replies, {"failed": str(error)})
        return 2
    except Exception as error:
        write_message(replies, {"failed": f"a worker could not start ({type(error).__name__})"})
        return 2
    write_message(replies, {"ready": True})
    while (job := read_message(jobs)) is not None:
        write_message(replies, worker.do(job))
    return 0


if __name__ == "__main__":
    sys.exit(main())
