"""`nadie suggest`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli.language import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nadie.training.suggestions import Suggestion


def suggest(
    project: Annotated[Path, typer.Argument(help="The folder of a project with reviewed documents.", metavar="DIR")],
    out: Annotated[
        Path | None, typer.Option(help="Write what is accepted to the files of this folder.", metavar="DIR")
    ] = None,
    accept: Annotated[
        str, typer.Option(help="The numbers to accept, such as 1,3, or `all`; without it each is asked for.")
    ] = "",
) -> None:
    """Suggest list entries, patterns and thresholds that the corrections of reviewers imply.

    Each has its evidence: how often and in how many notes it was seen, and how often the notes speak against it.
    Without --out they are only listed. With it, each is accepted or not, one by one, and the files can be given to any
    command as --allow, --deny, --patterns and --thresholds. The list shows values of the notes: protect it like them.

    Examples:

        nadie suggest review
        nadie suggest review --out own/
        nadie anonymize notes/ --out out/ --deny own/deny.txt
    """
    from nadie.cli.console import print_line
    from nadie.errors import MissingExtraError
    from nadie.training.accepted import write_accepted
    from nadie.training.suggestions import suggestions

    try:
        from nadie.service.project.corrections import corrections
    except ModuleNotFoundError as error:
        raise MissingExtraError("a project", "service") from error
    found = suggestions(corrections(project))
    for number, each in enumerate(found, 1):
        sys.stdout.write(f"{number}\t{_line(each)}\n")
    if out is None:
        return
    for option, file in write_accepted(out, _accepted(found, accept)).items():
        print_line(f"{option} {file}")


def _accepted(found: Sequence[Suggestion], accept: str) -> list[Suggestion]:
    from nadie.errors import ConfigError

    if accept == "all":
        return list(found)
    if not accept:
        return [each for each in found if typer.confirm(say(f"Accept {_line(each)}?"), default=False, err=True)]
    try:
        return [found[number - 1] for number in map(int, accept.split(",")) if number > 0]
    except (ValueError, IndexError):
        raise ConfigError(f"--accept takes numbers from 1 to {len(found)}, separated by commas, or `all`") from None


def _line(each: Suggestion) -> str:
    against = f", {each.against} against it" if each.against else ""
    return f"{each.kind}\t{each.label}\t{each.value}\t({say(f'{each.times} times in {each.notes} notes{against}')})"
