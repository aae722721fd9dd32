"""A server of the Model Context Protocol: paths in, paths out, so that the program that asks never sees a text.

Answers have counts and reasons, not the names of files, because a name may identify a person, and nothing is logged.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError, MissingExtraError, NadieError
from nadie.records.vault.reading import Vault
from nadie.run.annotation import AnnotationOptions, annotate_files
from nadie.run.documents import RunOptions
from nadie.run.files import FileOptions, RecordOptions, anonymize_files
from nadie.run.report import RunReport
from nadie.run.restoring import from_vault, restore_files

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ModuleNotFoundError:
    raise MissingExtraError("nadie mcp", "mcp") from None

_ABOUT = """Removes what identifies a person from Spanish clinical files of this machine. Give paths; the files that are
written are in the folder `out`. Do not read the originals or restored files: read only what was anonymized."""


class Outcome(TypedDict):
    """The folder that was written, the numbers of texts and files written and failed, and the reasons."""

    out: str
    handled: int
    failed: int
    reasons: dict[str, int]


@dataclass(frozen=True)
class PathTools:
    """The tools, for files below the `folders`. Without a vault nothing can be restored."""

    folders: tuple[Path, ...]
    run: RunOptions = field(default_factory=RunOptions)
    vault: Path | None = None
    passphrase: Secret | None = None

    def anonymize(self, paths: list[str], out: str) -> Outcome:
        """Write anonymized copies of files, and of all files below folders, each in its own format."""
        records = RecordOptions(vault=self.vault, passphrase=self.passphrase)
        options = FileOptions(self.run, records=records)
        return self._outcome(paths, out, lambda files, folder: anonymize_files(files, folder, options))

    def annotate(self, paths: list[str], out: str) -> Outcome:
        """Write what identifies a person in files as brat annotations. They quote the texts: do not read them."""
        options = AnnotationOptions(self.run)
        return self._outcome(paths, out, lambda files, folder: annotate_files(files, folder, options))

    def restore(self, paths: list[str], out: str) -> Outcome:
        """Write the originals of anonymized files that were not changed. They identify persons: do not read them."""
        if self.vault is None or self.passphrase is None:
            raise ToolError("nothing can be restored without a vault")
        with Vault(self.vault, self.passphrase) as vault:
            report = RunReport()
            restore = from_vault(vault, report)
            return self._outcome(paths, out, lambda files, folder: restore_files(files, folder, restore, report))

    def server(self) -> MCPServer[object]:
        """The server with these tools."""
        server: MCPServer[object] = MCPServer("nadie", instructions=_ABOUT, log_level="CRITICAL")
        for tool in (self.anonymize, self.annotate, *([self.restore] if self.vault else [])):
            server.add_tool(tool)
        return server

    def _outcome(self, paths: list[str], out: str, work: Callable[[list[Path], Path], RunReport]) -> Outcome:
        """Do the work if all paths are below the folders; an error tells nothing but what nadie says of it."""
        try:
            report = work([self._within(path) for path in paths], self._within(out))
        except NadieError as error:
            raise ToolError(error.reason) from None
        except Exception as error:
            raise ToolError(f"failed ({type(error).__name__})") from None
        return Outcome(out=out, handled=report.handled, failed=report.failed, reasons=dict(report.reasons))

    def _within(self, given: str) -> Path:
        """The path, if it and all links below it lead into the folders."""
        path = Path(given).expanduser().resolve()
        if not self._is_within(path):
            raise ConfigError("a path is outside the folders that this server may use")
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                entry = Path(folder, name)
                if entry.is_symlink() and not self._is_within(entry.resolve()):
                    raise ConfigError("a link below a path leads outside the folders that this server may use")
        return path

    def _is_within(self, path: Path) -> bool:
        return any(path.is_relative_to(folder.resolve()) for folder in self.folders)
