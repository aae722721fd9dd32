"""`nadie corpus`: download annotated corpora. The only command that uses the network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli.language import say

if TYPE_CHECKING:
    from rich.console import Console

    from nadie.corpus.download import Download

app = typer.Typer(no_args_is_help=True, help="Annotated corpora to train and to evaluate on.")


@app.command()
def download(
    name: Annotated[str, typer.Argument(help="The corpus: meddocan.")],
    to: Annotated[Path, typer.Option(help="The folder for the corpus: new or empty.")],
    url: Annotated[
        str | None,
        typer.Option(
            envvar="NADIE_CORPUS_URL",
            help="Another address of the archive, such as a mirror. Its checksums are verified in the same way.",
        ),
    ] = None,
) -> None:
    """Download a corpus from the site where its authors published it, and verify it.

    If the download breaks off, run the same command again and it resumes. The folder appears only when
    everything in it is verified.

    Examples:

        nadie corpus download meddocan --to meddocan
        nadie train recrf --train meddocan/train/brat \\
            --dev meddocan/dev/brat --out my-model
        nadie corpus download meddocan --to meddocan \\
            --url https://mirror.example.org/meddocan.zip
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from nadie.corpus.download import download as bring
    from nadie.corpus.download import source

    wanted = source(name)
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=errors) as bar:
        task = bar.add_task(wanted.name, total=None)
        result = bring(wanted, to, lambda here, total: bar.update(task, completed=here, total=total), url)
    _tell(result, errors)
    errors.print(f"{wanted.licence}\n{wanted.citation}", markup=False)
    for part in result.parts:
        print(to / part)


def _tell(result: Download, errors: Console) -> None:
    """Print what the checksums of a downloaded corpus tell."""
    if result.was_here:
        errors.print(say("already downloaded and verified"), markup=False)
    elif result.by_archive:
        errors.print(say("the checksum of the archive is correct"), markup=False)
    else:
        errors.print(
            say("the checksum of the archive differs; those of the files that were kept are correct"), markup=False
        )
    if result.left_out:
        errors.print(
            say(f"left out, because nadie has no checksum for them: {', '.join(result.left_out)}"), markup=False
        )
    if result.differing:
        errors.print(say(f"different from nadie's manifest: {', '.join(result.differing)}"), markup=False)
