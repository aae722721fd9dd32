"""`nadie anonymize --resume`: check that a run has the same options as the run that it continues."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nadie.errors import ConfigError
from nadie.run import RunOptions

if TYPE_CHECKING:
    from nadie.journal import Journal


def journal_for(out: Path | None, options: RunOptions, about: Mapping[str, Any], *, resume: bool) -> Journal | None:
    """The journal in the output folder. It needs a key, because it identifies texts by keyed fingerprints.

    `about` is everything besides the options that determines the output.
    """
    if out is None or options.key is None:
        if resume:
            raise ConfigError("--resume needs --out and the key of the run (--key-file or $NADIE_KEY)")
        return None
    from nadie.journal import Journal

    lists = [getattr(options.detection, each.name) for each in fields(options.detection)]
    table = Path(options.patient.removeprefix("table:")) if options.patient.startswith("table:") else None
    whole = {
        **about,
        "nadie": version("nadie"),
        "policy": [options.policy.name, options.policy.scope, options.policy.digest],
        "patient": options.patient.partition(":")[0] if table else options.patient,
        "files": _digests((*lists, table)),
    }
    return Journal(out, options.key, whole, resume=resume)


def _digests(values: Iterable[object]) -> list[str]:
    """The digests of the files named among the values."""
    return [hashlib.sha256(each.read_bytes()).hexdigest() for each in values if isinstance(each, Path)]
