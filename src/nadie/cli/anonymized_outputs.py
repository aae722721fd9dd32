"""The outputs of `nadie anonymize`: the texts, the vault and the audit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nadie.anonymize.records import Records
    from nadie.anonymize.secret import Secret
    from nadie.document import Document
    from nadie.run import RunOptions


class Form(StrEnum):
    TEXT = "text"
    JSONL = "jsonl"


@contextmanager
def records_of(
    options: RunOptions, about: dict[str, Any], vault: tuple[Path, Secret] | None, audit: Path | None
) -> Iterator[Records]:
    """The vault with its passphrase, the audit of a run, and the data for the report."""
    from nadie.anonymize.records import Records
    from nadie.formats.files import writing

    with ExitStack() as stack:
        writer = None
        if vault is not None:
            from nadie.anonymize.vault.writing import VaultWriter

            writer = stack.enter_context(VaultWriter(*vault))
        written = stack.enter_context(writing(audit)) if audit else None
        yield Records(options.policy, about, options.key, vault=writer, audit=written)


@contextmanager
def writer_to(out: Path | None, to: Form, *, alone: bool) -> Iterator[Callable[[Document], None]]:
    from nadie.formats.jsonl import Jsonl, format_line
    from nadie.formats.text import Text

    if out is not None:
        with (Jsonl() if to is Form.JSONL else Text()).writer(out) as write:
            yield write
    elif to is Form.JSONL:
        yield lambda document: _emit(format_line(document))
    else:
        yield lambda document: _print(document.id, document.text, alone=alone)


def _emit(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def _print(name: str, text: str, *, alone: bool) -> None:
    end = "" if alone or text.endswith("\n") else "\n"
    _emit(text if alone else f"==> {name} <==\n{text}{end}")
