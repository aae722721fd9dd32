"""`nadie patterns`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Your own patterns, for `--patterns`.", no_args_is_help=True)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="The file of patterns (.toml).", metavar="FILE")],
    on: Annotated[
        list[Path] | None, typer.Option(help="Texts to count matches in; may be repeated.", metavar="PATH")
    ] = None,
) -> None:
    """Test a file of patterns on the examples in it.

    Every pattern must match the texts in its key `finds` and must not match those in `ignores`. With --on the
    matches in your own texts are counted. Exit code 1 means that a pattern fails one of its examples.

    Examples:

        nadie patterns check ours.toml
        nadie patterns check ours.toml --on notes/
    """
    from nadie.cli.console import counted, print_line
    from nadie.cli.language import say, say_error
    from nadie.document import Document
    from nadie.resolve.own_patterns import OwnPatterns
    from nadie.run.annotation import texts_of

    own = OwnPatterns.read(file)
    counts = [0] * len(own)
    for item in texts_of(on or []):
        if isinstance(item, Document):
            for number, pattern in enumerate(own.patterns):
                counts[number] += sum(1 for _ in pattern.find(item.text))
        else:
            print_line(say_error(item), "failed")
    failed = 0
    for pattern, count in zip(own.patterns, counts, strict=True):
        problems = pattern.problems()
        failed += bool(problems)
        tried = len(pattern.finds) + len(pattern.ignores)
        results = problems or [f"{counted(tried, 'example')} right" if tried else "no examples to try"]
        matches = "\t" + say(f"{count} matches") if on else ""
        sys.stdout.write(f"{pattern.name}\t{pattern.label}\t{'; '.join(map(say, results))}{matches}\n")
    if failed:
        print_line(f"{failed} of {len(own)} patterns fail their examples")
        raise typer.Exit(1)
