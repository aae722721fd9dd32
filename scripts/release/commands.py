"""Run a command as of the time of the last commit, so that what it builds does not depend on the clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from release.version import ROOT


def run(*command: str, cwd: Path | None = None) -> bytes:
    """What a command prints; its errors are shown if it fails."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONPATH", None)
    if command[0] != "git":
        environment["SOURCE_DATE_EPOCH"] = commit_time()
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        sys.stderr.buffer.write(done.stdout[-4000:] + done.stderr[-4000:])
        raise SystemExit(f"failed: {' '.join(command)}")
    return done.stdout


def commit_time() -> str:
    """When the last commit was made, in seconds since 1970: the time of every file in the packages."""
    return run("git", "log", "-1", "--format=%ct", cwd=ROOT).decode().strip()
