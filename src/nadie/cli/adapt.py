"""`nadie adapt`."""

from __future__ import annotations

import getpass
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from nadie.document import Document


def adapt(
    out: Annotated[Path, typer.Option(help="The folder for the adapted model.", metavar="DIR")],
    source: Annotated[
        Path | None, typer.Option("--from", help="A project, or a folder of annotated notes.", metavar="DIR")
    ] = None,
    base: Annotated[str, typer.Option(help="The model to adapt, by name or folder.")] = "fast",
    method: Annotated[
        Literal["auto", "lists", "layer", "network"],
        typer.Option(
            help="lists: staff and centres; layer: also a layer over the tags; auto: the better of the two;"
            " network: its training continues, with PyTorch."
        ),
    ] = "auto",
    replay: Annotated[
        Path | None,
        typer.Option(help="Annotated notes of other kinds, which it must not forget. [default: invented notes]"),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, max=10, help="The parts of the cross-validation.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same folds.")] = 1,
    accepted_by: Annotated[str, typer.Option(help="Who accepts the model, for its card. [default: the user]")] = "",
    force: Annotated[bool, typer.Option("--force", help="Write a model that is not better, too.")] = False,
    rollback: Annotated[bool, typer.Option("--rollback", help="Put the model back that --out replaced.")] = False,
) -> None:
    """Adapt a model to reviewed notes, and show before and after on held-out own notes and on those of the package.

    A model that covers no more of the own notes, or that forgets, is not written unless forced. The folder works
    wherever a model's name does. It has no text of the notes; docs/en/reference/own-notes.md says what may be guessed
    from it.

    Examples:

        nadie adapt --base fast --from review --out mine
        nadie adapt --from review --method network --out mine
        nadie anonymize notes/ --model mine --out out/
        nadie adapt --out mine --rollback
    """
    from nadie.cli.console import print_line, progress_bar
    from nadie.errors import ConfigError
    from nadie.files.annotated.reading import read_documents
    from nadie.run.adapting import AdaptOptions, install, roll_back
    from nadie.run.adapting import adapt as adapt_model

    if rollback:
        roll_back(out)
        return
    if source is None:
        raise ConfigError("give the reviewed notes with --from")
    others = tuple(read_documents(replay)) if replay else ()
    options = AdaptOptions(base, method, others, folds, seed)
    with tempfile.TemporaryDirectory(prefix="nadie-") as work, progress_bar() as bar:
        made = adapt_model(_reviewed(source), options, bar, Path(work))
    sys.stdout.writelines(f"{line}\n" for line in made.lines())
    if not made.is_better and not force:
        print_line("nothing was written; --force writes it all the same", "refused", "red")
        raise typer.Exit(1)
    before = install(made, out, accepted_by or getpass.getuser())
    print_line(f"the model is in {out}" + (f"; the earlier one is in {before}" if before else ""))


def _reviewed(source: Path) -> list[Document]:
    """The reviewed documents of a project, or the documents of a folder of annotations."""
    from nadie.errors import ConfigError
    from nadie.files.annotated.reading import read_documents
    from nadie.risk.sample import is_sample

    training, is_project = source / "training", (source / "project.sqlite3").is_file()
    if is_project and not training.is_dir():
        return []
    if is_sample(source) and not is_project:
        raise ConfigError("brat files do not say which notes were read: give --from a folder with those that were")
    return list(read_documents(training if training.is_dir() else source))
