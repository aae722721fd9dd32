"""Containers opened, changed and written as a run does it, with the names to replace given instead of detected."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.errors import FormatError
from nadie.files.container import Account, Edits, Opened, OpenOptions
from nadie.files.disk import OutputFiles
from nadie.files.mapped import Edit, MappedText
from nadie.files.recognition import open_as, recognise
from nadie.files.source import FileList, Source

if TYPE_CHECKING:
    from nadie.run.pipeline import Pipeline
    from nadie.run.rewriting import Rewritten

NEW = '[P&"Q]'
_WORD = re.compile(r"\w+")


def opened(content: bytes, name: str, options: OpenOptions | None = None) -> Opened:
    """The file opened as what its content and its name show it to be."""
    source = Source(name, name, None, content)
    return open_as(recognise(source), source, options or OpenOptions())


def texts_of(content: bytes, name: str, options: OpenOptions | None = None) -> list[str]:
    return [text.text for text in opened(content, name, options).texts()]


def anonymized(
    content: bytes, name: str, values: Mapping[str, str], options: OpenOptions | None = None
) -> tuple[bytes, Account]:
    """The copy with each of the values replaced wherever it stands in the text, and what was told about it."""
    container = opened(content, name, options)
    edits = (_edits(text, values) for text in container.texts())
    out = io.BytesIO()
    container.write(edits, out)
    return out.getvalue(), container.account


def every_word(text: MappedText[Any]) -> Edits:
    """An edit for each word of prose and for each field."""
    fields = [(s.start, s.end) for s in text.segments if s.label]
    words = [match.span() for match in _WORD.finditer(text.text)]
    prose = [word for word in words if not any(word[0] < end and start < word[1] for start, end in fields)]
    return [Edit(start, end, NEW) for start, end in sorted([*fields, *prose])]


def with_every_word_replaced(content: bytes, name: str) -> tuple[bytes, Account]:
    """The copy in which every word of the text is another one."""
    container = opened(content, name)
    edits = [every_word(text) for text in container.texts()]
    out = io.BytesIO()
    container.write(iter(edits), out)
    return out.getvalue(), container.account


def check_refused(content: bytes, name: str, told: str) -> None:
    """Fail unless the file is refused with an error that says so and does not quote its text."""
    with pytest.raises(FormatError, match=told) as caught:
        opened(content, name)
    assert "Ana" not in str(caught.value)


def _edits(text: MappedText[Any], values: Mapping[str, str]) -> Edits:
    fields = [(s.start, s.end) for s in text.segments if s.label]
    found = [
        Edit(*match.span(), values[value])
        for value in values
        for match in re.finditer(r"\s+".join(map(re.escape, value.split())), text.text)
    ]
    outside = [edit for edit in found if not any(edit.start < end and start < edit.end for start, end in fields)]
    return sorted([*outside, *(Edit(start, end, "[CAMPO]") for start, end in fields)])


def run_with_policy(content: bytes, name: str, tmp_path: Path, policy: str) -> tuple[bytes, Rewritten]:
    """The copy of one file that a run with that policy writes; of free text only what fields and patterns find."""
    from nadie.run.rewriting import Rewritten

    file = tmp_path / name
    file.write_bytes(content)
    [done] = run_files([file], tmp_path / "out", engine=Engine(read_policy(policy), Key(b"k" * 32)))
    assert isinstance(done, Rewritten), done
    return (tmp_path / "out" / name).read_bytes(), done


def run_files(
    paths: list[Path],
    out: Path,
    pipeline: Pipeline | None = None,
    *,
    engine: Engine | None = None,
    **options: Any,
) -> Iterator[Any]:
    """A run over files, with a detector that knows the patterns and no model unless another one is given."""
    from nadie.detectors.patterns import Patterns
    from nadie.run.documents import handled
    from nadie.run.pipeline import Pipeline
    from nadie.run.rewriting import FileReader, ReadOptions, outputs

    used = pipeline or (Pipeline(Patterns(), engine) if engine else Pipeline(Patterns()))
    reader = FileReader(FileList(paths), ReadOptions(**options))
    results = ((owner, handled([item], used.anonymize_all)[0]) for owner, item in reader.texts())
    return outputs(results, OutputFiles(out))
