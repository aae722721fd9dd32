"""Options for opening files and detecting spans, shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nadie.options import DetectionOptions, Images, Mode

if TYPE_CHECKING:
    from nadie.run.rewriting import ReadOptions

Paths = Annotated[list[Path], typer.Argument(help="Files and folders, or - for standard input.", metavar="PATH...")]
Model = Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")]
OperatingMode = Annotated[
    Mode, typer.Option(help="The operating point: balanced, recall (fewer misses) or precision (fewer false alarms).")
]
Known = Annotated[
    Path | None,
    typer.Option(
        "--known", help="A CSV of known identities (name, DNI, phone ...) to find in any spelling.", metavar="FILE"
    ),
]
Allow = Annotated[
    Path | None, typer.Option("--allow", help="A file of terms that are never PHI, one per line.", metavar="FILE")
]
Deny = Annotated[
    Path | None,
    typer.Option("--deny", help="A file of terms that are always PHI, one per line: label, tab, term.", metavar="FILE"),
]
Thresholds = Annotated[
    Path | None,
    typer.Option("--thresholds", help="A TOML file with the minimum confidence for each label.", metavar="FILE"),
]
Patterns = Annotated[
    Path | None,
    typer.Option("--patterns", help="A TOML file with your own patterns; see `nadie patterns check`.", metavar="FILE"),
]
Country = Annotated[
    list[str] | None,
    typer.Option(
        help="A country, such as ES: identity numbers of its kind are found by their shape too, those of other"
        " countries only by the model. May be repeated; by default those with check digits of all countries.",
        metavar="CODE",
    ),
]
From = Annotated[str, typer.Option("--from", help="The format of the files, if their content does not show it.")]
Column = Annotated[
    list[str] | None,
    typer.Option(
        help="A table column to search as free text, or to replace as LABEL. May be repeated. For all other columns,"
        " their names and contents decide: only those proven harmless stay.",
        metavar="NAME[=LABEL]",
    ),
]
KeepColumn = Annotated[
    list[str] | None,
    typer.Option(
        help="A table column that stays as it is; exit code 1 if it looks like PHI. May be repeated.", metavar="NAME"
    ),
]
PatientColumn = Annotated[
    str,
    typer.Option(
        help="The table column that identifies the patient of each row. It is replaced too, unless it is kept.",
        metavar="NAME",
    ),
]
OfImages = Annotated[
    Images,
    typer.Option(
        "--images",
        help="For scanned pages and other images, which may show text: read and paint them, refuse the file, blank the"
        " image, or keep it.",
    ),
]
KeepGraphics = Annotated[
    bool,
    typer.Option(
        "--keep-graphics",
        help="Keep what a scanned page shows besides printed text: bar codes, photos, signatures, stamps, handwriting.",
    ),
]
WriteInBoxes = Annotated[
    bool, typer.Option("--write-in-boxes", help="Write the replacements into the painted boxes of scanned pages.")
]
ScanMode = Annotated[Mode, typer.Option(help="The operating point for texts that are read from scans and images.")]
Encoding = Annotated[
    str, typer.Option(help="The encoding of plain text files. By default UTF-8, UTF-16 (with BOM) or Windows-1252.")
]
Workers = Annotated[int, typer.Option(help="Number of worker processes; the output is the same for any number.", min=1)]
_DETECTION = {
    "mode": OperatingMode,
    "known": Known,
    "allow": Allow,
    "deny": Deny,
    "thresholds": Thresholds,
    "patterns": Patterns,
    "scan_mode": ScanMode,
    "country": Country,
}
_READING = {"form": From, "encoding": Encoding, "column": Column, "keep_column": KeepColumn, "images": OfImages}


@dataclass(frozen=True)
class Reading:
    """The options for reading files of a command that writes no copies of them."""

    form: str = ""
    encoding: str = ""
    column: list[str] | None = None
    keep_column: list[str] | None = None
    images: Images = Images.READ

    def options(self) -> ReadOptions:
        from nadie.files.container import OpenOptions
        from nadie.run.rewriting import ReadOptions

        columns = (tuple(self.column or ()), "", tuple(self.keep_column or ()))
        return ReadOptions(self.form, self.encoding, OpenOptions(*columns, images=self.images))


def with_detection_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add to a command an option for each field of its parameter `detection` that is about finding.

    If it has a parameter `reading`, the options for reading files are added as well.
    """
    own = signature(command, eval_str=True)
    groups: list[tuple[str, Callable[..., Any], type[Any], dict[str, Any]]]
    groups = [("detection", DetectionOptions.of, DetectionOptions, _DETECTION)]
    groups += [("reading", Reading, Reading, _READING)] if "reading" in own.parameters else []

    @wraps(command)
    def parsed(**values: Any) -> None:
        made = {name: make(**{each: values.pop(each) for each in options}) for name, make, _, options in groups}
        command(**values, **made)

    options = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=None if field.default == () else field.default,
            annotation=annotations[field.name],
        )
        for _, _, group, annotations in groups
        for field in fields(group)
        if field.name in annotations  # the others of `DetectionOptions` are about replacing
    ]
    others = [parameter for name, parameter in own.parameters.items() if name not in ("detection", "reading")]
    vars(parsed)["__signature__"] = own.replace(parameters=[*others, *options])
    return parsed
