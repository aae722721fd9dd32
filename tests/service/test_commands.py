"""`nadie tokens` and `nadie serve` on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nadie.cli.main import build
from nadie.cli.tokens import app as tokens_app
from nadie.errors import ConfigError, MissingExtraError
from nadie.service.tokens import TokenFile, digest_of, read_tokens

runner = CliRunner()


def tokens(*arguments: str) -> str:
    result = runner.invoke(tokens_app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_a_token_is_shown_once_and_works_until_it_is_revoked(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    secret = tokens("add", "maría", "--file", str(file)).splitlines()[0]
    assert secret.startswith("nadie_")
    assert secret not in file.read_text()
    tokens("add", "prometheus", "--allow", "metrics", "--days", "30", "--file", str(file))
    accepted = TokenFile(file)
    holder = accepted.of_digest(digest_of(secret))
    assert holder is not None
    assert (holder.name, holder.permissions) == ("maría", ("annotate", "review"))
    listed = tokens("list", "--file", str(file))
    assert "prometheus\tmetrics\tsince " in listed
    rotated = tokens("rotate", "maría", "--file", str(file)).split()[0]
    assert all(accepted.of_digest(digest_of(each)) for each in (secret, rotated)), "no gap"
    assert secret not in listed
    tokens("revoke", "maría", "--file", str(file))
    assert accepted.of_digest(digest_of(secret)) is None
    assert list(read_tokens(file)) == ["prometheus"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["add", "maría"], "already"),
        (["add", "josé", "--allow", "everything"], "no permission"),
        (["revoke", "nobody"], "no token"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, arguments: list[str], message: str) -> None:
    file = tmp_path / "tokens.json"
    tokens("add", "maría", "--file", str(file))
    before = file.read_bytes()
    with pytest.raises(ConfigError, match=message):
        runner.invoke(tokens_app, [*arguments, "--file", str(file)], catch_exceptions=False)
    assert file.read_bytes() == before


def test_serve_teaches_by_example() -> None:
    shown = runner.invoke(build(), ["serve", "--help"]).stdout
    assert "--project" in shown
    assert "nadie tokens add" in shown


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("nadie.service")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(MissingExtraError, match=r"nadie\[service\]"):
        runner.invoke(build(), ["serve"], catch_exceptions=False)
