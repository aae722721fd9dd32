"""`nadie augment`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli.language import say

if TYPE_CHECKING:
    from nadie.document import Document


def augment(
    path: Annotated[Path, typer.Argument(help="Annotated notes: a file, or a folder that is read recursively.")],
    out: Annotated[Path, typer.Option(help="The folder for the copies, in brat format.")],
    copies: Annotated[int, typer.Option(min=1, help="The number of copies of each note.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same copies.")] = 0,
    only: Annotated[
        str, typer.Option(help="Apply only these transforms, to every copy; comma-separated.", metavar="NAME,...")
    ] = "",
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Use the words and templates that training copies never use.")
    ] = False,
) -> None:
    """Write altered copies of annotated notes (other identities, headers, case, typing errors) and new notes.

    Every annotation moves with its text, so that the copies can train or test any de-identifier. A copy depends only
    on the seed, the id of the note and the number of the copy.

    The transforms: synthetic, sentences, identities, header, relabel, unlabel, one-line, typos, scanned, faxed,
    spacing, dictated, upper, lower, mixed-case, no-accents, nfd, crlf.

    Examples:

        nadie augment meddocan/train/brat --out copies --copies 4
        nadie augment notes/ --out upper --only upper,no-accents
        nadie augment notes/ --out new-notes --copies 10 \\
            --only synthetic --seed 7
    """
    from nadie.augment import HELD_OUT, TRAINING, augmented_copy
    from nadie.cli.console import stderr
    from nadie.errors import ConfigError

    recipe = HELD_OUT if held_out else TRAINING
    if only:
        recipe = recipe.only(name.strip() for name in only.split(","))
    if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
        raise ConfigError("the output folder is inside the input folder: choose one outside it")
    with stderr().status(say("writing copies")):
        written, errors = _write(path, out, copies, lambda note, copy: augmented_copy(note, copy, seed, recipe=recipe))
    console = stderr()
    for error in errors:
        console.print(error, style="red", markup=False, soft_wrap=True)
    console.print(say(f"{written} copies written, {len(errors)} notes failed"), markup=False)
    if errors:
        raise typer.Exit(1)


def _write(path: Path, out: Path, copies: int, make: Callable[[Document, int], Document]) -> tuple[int, list[str]]:
    """The number of copies written, and the errors of the notes that failed."""
    from nadie.errors import FormatError
    from nadie.files.annotated.brat import Brat
    from nadie.files.annotated.reading import iter_readable

    written, errors = 0, []
    with Brat().writer(out) as add:
        for item in iter_readable(path, None):
            try:
                if isinstance(item, FormatError):
                    raise item
                for copy in range(copies):
                    add(make(item, copy))
                    written += 1
            except FormatError as error:
                errors.append(str(error))
    return written, errors
