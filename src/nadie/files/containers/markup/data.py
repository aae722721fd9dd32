"""JSON and XML of any kind: the names of values are captions, strings are searched, numbers and structure are kept.

A value whose name says what it is (`nhc`, `telefono`) is replaced, and so is a long number, a date, or data in base64,
which cannot be searched.
"""

from __future__ import annotations

from nadie.document import UNKNOWN_FIELD
from nadie.files.containers.names import is_usual
from nadie.files.containers.prose import has_letters
from nadie.files.containers.raw import Range
from nadie.files.containers.tables.column_content import form_of, has_long_number, is_of, may_be_data
from nadie.files.containers.tables.column_names import label_of_name
from nadie.files.containers.tables.columns import Field, field_alone
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.signatures import is_base64
from nadie.labels import Label

_PROSE_WORDS = 9  # a value with so many words is prose, whatever its name says
_CODED = Field(Label.OTROS_SUJETO_ASISTENCIA, UNKNOWN_FIELD)


class DataText:
    """Builds the text of a file, one value a line, each after its caption. A caption has no range in the file."""

    def __init__(self) -> None:
        self._builder: TextBuilder[Range | None] = TextBuilder()

    def add(self, name: str, value: str, bounds: Range, *, is_number: bool = False) -> None:
        """Add a value with its name, unless it cannot identify anybody."""
        field = field_of(name, value, is_number=is_number)
        if field is None:
            return
        self._builder.cut()
        if name and not may_be_data(name):
            self._builder.add(f"{name}: ", None)
        self._builder.add(value, bounds, *field)

    def add_name(self, name: str, bounds: Range) -> None:
        """Add a name that may be data, such as the name of a patient."""
        if may_be_data(name):
            self._builder.cut()
            self._builder.add(name, bounds, *field_alone(name))

    def build(self) -> MappedText[Range | None]:
        return self._builder.build()


def field_of(name: str, value: str, *, is_number: bool = False) -> Field | None:
    """How a value is added to the text: as a field, as prose, or not at all."""
    label = label_of_name(name)
    if label and is_of(label, value) and len(value.split()) < _PROSE_WORDS and value.strip():
        return Field(label)
    if is_number:
        return field_alone(value) if has_long_number(value.partition(".")[0]) else None
    if is_base64(value.encode("utf-8", "replace")):
        return _CODED
    is_word = len(value.split()) <= 1 and "@" not in value and is_usual(value.strip())
    may_identify = has_letters(value) or has_long_number(value) or form_of(value) is not None
    return field_alone(value) if may_identify and not is_word else None
