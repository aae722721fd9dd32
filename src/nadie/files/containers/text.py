"""Plain text as a container, for the files of archives: one UTF-8 text, one segment, written back byte for byte."""

from __future__ import annotations

from nadie.files.container import Container, OneText, OpenOptions
from nadie.files.containers.raw import Range, spliced
from nadie.files.disk import decode, encode
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source


class TextFile(Container):
    """A text file. `nadie.files.signatures` has already excluded all other types."""

    name = "text"
    title = "plain text"

    def open(self, source: Source, options: OpenOptions) -> OneText[Range]:
        raw = decode(source.read(), source.where)
        builder: TextBuilder[Range] = TextBuilder()
        builder.add(raw, (0, len(raw)))
        text = builder.build()
        return OneText(text, lambda edits: encode(spliced(raw, text, edits, lambda new, _: new), source.where))
