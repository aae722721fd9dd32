"""PDF: text is removed from the page's operators, not covered; all other content with text is searched too.

All pages are one text, followed by bookmarks, comments, form fields, properties and the structure. The copy is a new
file without the earlier versions that the original may contain.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import pikepdf

from nadie.errors import Failure, FormatError
from nadie.files.container import SCAN, Edits, OpenOptions
from nadie.files.containers.members import TextWithMembers
from nadie.files.containers.pdf.cleaning import Cleaner
from nadie.files.containers.pdf.content import ContentReader
from nadie.files.containers.pdf.layout import add_lines
from nadie.files.containers.pdf.object_types import is_dictionary, listed
from nadie.files.containers.pdf.objects import Objects, PdfSlot, attachments_of, walk
from nadie.files.containers.pdf.pages import Pages
from nadie.files.containers.pdf.pieces import ALT_TEXT, Block, Target
from nadie.files.containers.pdf.redaction import cuts_of, marks_of, rewritten
from nadie.files.containers.pdf.second_reader import page_with, pages_in, words
from nadie.files.containers.pdf.streams import content_of
from nadie.files.containers.raw import replaced
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.source import Source


class OpenedPdf(TextWithMembers):
    """An open PDF, held in memory."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        super().__init__(source, options)
        self._pdf, is_repaired = _opened(source)
        if is_repaired:
            self.account.remarks.append("it is damaged and was repaired: compare the pages of the copy")
        cleaner = Cleaner(self._pdf)
        reader = ContentReader(source.where)
        pages = Pages(self._pdf, reader, source, options)
        self._scans = pages.scans
        objects = walk(self._pdf, cleaner, source.where)
        self._blocks = [*pages.blocks, *pages.other_contents(objects.contents)]
        pages.report(self.account)
        cleaner.removed["streams of unknown use"] += objects.emptied
        cleaner.removed["metadata of images"] += objects.stripped
        self._report_removed(+cleaner.removed)
        self._text = _text(self._blocks, objects)
        self._gone: set[str] = set()
        self._attached: dict[str, Any] = {}
        self._attach(objects)

    def _put(self, edits: Edits) -> None:
        cuts, marks = cuts_of(self._text, edits), marks_of(self._text, edits)
        new = {
            target: rewritten(target, cuts.get(target, {}), marks.get(target, []), self._source.where)
            for target in dict.fromkeys(target for block in self._blocks for target in block.targets)
        }
        for target, content in new.items():
            self._put_content(target, content)
        kept = words([replaced(self._text.text, edits)])
        self._gone = words(self._text.text[edit.start : edit.end] for edit in edits) - kept
        self._put_strings(edits)
        if self._scans is not None:
            self._scans.write(self._pdf, self._text, edits, self.account)

    def shown_pages(self) -> Iterator[Any]:
        """The scanned pages, with their numbers and images."""
        return self._scans.shown_pages() if self._scans is not None else iter(())

    def _put_content(self, target: Target, content: bytes) -> None:
        if isinstance(target.content, pikepdf.Stream):
            target.content.write(content)
        else:
            target.content["/Contents"] = self._pdf.make_stream(content)

    def _put_strings(self, edits: Edits) -> None:
        gone = _words(self._text.text[edit.start : edit.end] for edit in edits)
        for segment, new in self._text.changes(edits):
            slot = segment.address
            if isinstance(slot, PdfSlot):
                slot.holder[slot.key] = pikepdf.String(new)
                if slot.key == "/V":
                    self._drop_appearance(slot.holder)
        for segment in self._text.segments:
            slot = segment.address
            replacement = slot.holder.get(slot.key, "") if isinstance(slot, PdfSlot) and slot.key in ALT_TEXT else ""
            if _words([str(replacement)]) & gone:
                del slot.holder[slot.key]

    def _drop_appearance(self, field: Any) -> None:
        """Make viewers redraw a field whose value changed, wherever it is shown."""
        for widget in (field, *listed(field.get("/Kids", None))):
            if is_dictionary(widget) and "/AP" in widget:
                del widget["/AP"]
                self._pdf.Root.AcroForm["/NeedAppearances"] = True

    def _attach(self, objects: Objects) -> None:
        """Open the attached files; a file that cannot be covered will be left out of the copy."""
        for number, (spec, given, stream) in enumerate(attachments_of(objects), start=1):
            name = given if given not in self._attached else f"{number} {given}"
            self._attached[name] = spec
            content = b"" if stream is None else content_of(stream, self._source.where)
            self._source.budget.spend(len(content), self._source.where)
            if failure := self._members.failure_of(name, content):
                self._fail_in(name, failure)

    def _fail_in(self, name: str, failure: Failure) -> None:
        self.account.leave_out(failure)

    def _put_attachment(self, spec: Any, content: bytes | None) -> None:
        if content is None:
            del spec["/EF"]
            return
        stream = self._pdf.make_stream(content)
        stream["/Type"] = pikepdf.Name("/EmbeddedFile")
        spec["/EF"] = pikepdf.Dictionary({key: stream for key in ("/F", "/UF") if key in spec["/EF"]})

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        for name, spec in self._attached.items():
            self._put_attachment(spec, copies.get(name))
        copy = io.BytesIO()
        self._pdf.save(
            copy, deterministic_id=True, encryption=False, object_stream_mode=pikepdf.ObjectStreamMode.preserve,
            fix_metadata_version=False,
        )  # fmt: skip
        if page := page_with(copy.getvalue(), self._gone):
            self._fail(f"page {page} of the copy still shows a word that was to be replaced")
        out.write(copy.getvalue())

    def _report_removed(self, removed: Counter[str]) -> None:
        if removed:
            self.account.remarks.append("removed: " + ", ".join(sorted(removed)))
        if self._pdf.is_encrypted:
            self.account.remarks.append("its restrictions on printing and editing were removed")


def _opened(source: Source) -> tuple[Any, bool]:
    """The file, and whether it had to be repaired: then PDFium must find the same number of pages."""
    content, problem = source.read(), ""
    for is_repaired in (False, True):
        try:
            pdf = pikepdf.open(io.BytesIO(content), attempt_recovery=is_repaired)
            if not len(pdf.pages):
                problem = "has no pages"
            elif not is_repaired or pages_in(content) == len(pdf.pages):
                return pdf, is_repaired
        except pikepdf.PasswordError:
            problem = "is encrypted: decrypt it first"
            break
        except pikepdf.PdfError:
            problem = "is a damaged or truncated PDF: open it in a viewer and save it again"
    # Raised outside the handler, because the parser's error may quote the text.
    raise FormatError(problem, where=source.where)


def _text(blocks: Sequence[Block], objects: Objects) -> MappedText[Any]:
    builder: TextBuilder[Any] = TextBuilder()
    for block in blocks:
        add_lines(builder, block.pieces)
        if block.scan is not None:
            block.scan.add_to(builder)
        for mark in block.marks:
            if len(mark.text) > 2:  # a ligature or a hyphen
                builder.cut("\n")
                builder.add(mark.text, mark)
        builder.cut("\n\n")
    for found in objects.strings:
        builder.cut(" " if found.is_value else "\n")
        builder.add(found.text, found.slot, found.label)
    return builder.build(meta=SCAN if any(block.scan is not None for block in blocks) else None)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"\w{3,}", text.casefold())}
