"""The command line in the process of the tests: the same `main`, without starting an interpreter for each command."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from nadie.cli.main import main


def run_command(
    *arguments: str | Path, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Exit code and output of `nadie ARGUMENTS`. Of the variables of nadie, the environment has only the salt."""
    command = ["nadie", *map(str, arguments)]
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("NADIE_") or name == "NADIE_SALT"
    }
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"),
        "stdout": io.TextIOWrapper(out, encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, encoding="utf-8", write_through=True),
    }
    with (
        patch.multiple(sys, argv=command, **streams),
        patch.dict(os.environ, {**inherited, "NO_COLOR": "1", **(environment or {})}, clear=True),
    ):
        code = _exit_code()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def _exit_code() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0
