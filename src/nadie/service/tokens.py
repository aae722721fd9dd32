"""API tokens: 256 random bits each, of which the file stores only the SHA-256.

With so much entropy a slow hash would add nothing; the stored hashes are useless to a thief. The file is JSON, readable
only by its owner, and is replaced as a whole, so that a running service can detect the change and a revoked token stops
working immediately.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from nadie.errors import ConfigError
from nadie.files.disk import write_bytes

PREFIX = "nadie_"


class Permission(StrEnum):
    """The permissions of a caller."""

    ANNOTATE = "annotate"
    """Use the API, and the page without the project."""
    REVIEW = "review"
    """Work on the documents of the project that are assigned to the caller or to nobody."""
    ADJUDICATE = "adjudicate"
    """See all documents, and adjudicate where two reviewers disagree."""
    ORIGINALS = "originals"
    """Export documents of the project with their personal data."""
    ADMINISTER = "administer"
    """Assign and remove documents, and read the log."""
    KEEP = "keep"
    """Store in the vault what a restore needs: another entry can make the restore of a text fail, or forge it."""
    RESTORE = "restore"
    """Restore originals from the vault."""
    KEYED = "keyed"
    """Get hashes, surrogates and shifted dates for given values: whoever can, can test guesses of the originals."""
    METRICS = "metrics"


_INCLUDED = {
    Permission.REVIEW: (Permission.ANNOTATE,),
    Permission.ADJUDICATE: (Permission.ANNOTATE, Permission.REVIEW),
    Permission.ADMINISTER: (Permission.ANNOTATE, Permission.REVIEW),
}


def granted(names: Iterable[str]) -> frozenset[Permission]:
    """The permissions with these names, and those that they include. An unknown name grants nothing."""
    own = {Permission(name) for name in names if name in set(Permission)}
    return frozenset(own.union(*(_INCLUDED.get(permission, ()) for permission in own)))


DEFAULT_PERMISSIONS = (Permission.ANNOTATE, Permission.REVIEW)


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as stored in the file. After a rotation the token before it is accepted until `previous_until`."""

    name: str
    sha256: str
    permissions: tuple[str, ...]
    created: str
    expires: str | None = None
    previous: str | None = None
    previous_until: str | None = None

    def valid(self, now: datetime) -> bool:
        return self.expires is None or now < datetime.fromisoformat(self.expires)

    def digests(self, now: datetime) -> list[str]:
        """The digests of the secrets that are accepted now."""
        until = self.previous_until
        has_previous = self.previous is not None and until is not None and now < datetime.fromisoformat(until)
        return [self.sha256, *([self.previous] if has_previous and self.previous else [])]

    def rotated(self, hours: float, *, renewed: bool = True) -> tuple[str, AccessToken]:
        """A new secret and the token with it; the old secret is accepted for these hours.

        A renewed token is valid for as long a time again, any other until the end of the old one.
        """
        now = datetime.now(UTC)
        end = None if self.expires is None else datetime.fromisoformat(self.expires)
        expires = end if end is None or not renewed else now + (end - datetime.fromisoformat(self.created))
        secret, token = new_token(self.name, self.permissions, expires)
        ends = [now + timedelta(hours=hours), *([] if end is None else [end])]
        until = min(ends).isoformat(timespec="seconds")
        created = token.created if renewed else self.created
        return secret, replace(token, created=created, previous=self.sha256, previous_until=until)


def new_token(
    name: str, permissions: Iterable[str] = DEFAULT_PERMISSIONS, expires: datetime | None = None
) -> tuple[str, AccessToken]:
    """The secret, to be shown once, and the stored token."""
    if not name or not name.isprintable() or len(name) > 60:
        raise ConfigError("the name of a token must have 1 to 60 printable characters")
    unknown = set(permissions) - set(Permission)
    if unknown:
        raise ConfigError(f"there is no permission {sorted(unknown)[0]!r}; there are: {', '.join(Permission)}")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = AccessToken(
        name,
        digest_of(secret),
        tuple(sorted(set(permissions))),
        datetime.now(UTC).isoformat(timespec="seconds"),
        None if expires is None else expires.astimezone(UTC).isoformat(timespec="seconds"),
    )
    return secret, token


def read_tokens(path: Path) -> dict[str, AccessToken]:
    """The tokens of the file by name."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        tokens = [_token(entry) for entry in content["tokens"]]
    except OSError as error:
        raise ConfigError(f"the token file {path} cannot be read ({error.strerror})") from None
    except (ValueError, TypeError, KeyError):
        raise ConfigError(f"{path} is not a token file") from None
    return {token.name: token for token in tokens}


def write_tokens(path: Path, tokens: Mapping[str, AccessToken]) -> None:
    """Replace the file; only its owner can read it."""
    content = json.dumps({"tokens": [asdict(token) for token in tokens.values()]}, indent=1, ensure_ascii=False)
    write_bytes(path, f"{content}\n".encode(), 0o600)


def change_tokens(path: Path, change: Callable[[dict[str, AccessToken]], Mapping[str, AccessToken]]) -> None:
    """Replace the tokens of the file by what `change` makes of them; others who do the same wait."""
    with _locked(path.parent):
        write_tokens(path, change(read_tokens(path) if path.exists() else {}))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise ConfigError(f"the folder {folder} cannot be used ({error.strerror})") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class TokenFile:
    """The tokens that a running service accepts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = (0, 0)
        self._tokens: tuple[AccessToken, ...] = ()
        self.refresh()
        if not self._tokens:
            raise ConfigError(f"{path} has no token: add one with `nadie tokens add`")

    def refresh(self) -> None:
        """Read the file again if it was replaced. If it is missing or damaged, no token is accepted."""
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            if stamp != self._stamp:
                self._tokens = tuple(read_tokens(self._path).values())
                self._stamp = stamp
        except (OSError, ConfigError):
            if self._stamp == (0, 0):
                raise ConfigError(f"the token file {self._path} cannot be read") from None
            self._tokens, self._stamp = (), (1, 0)

    def all(self) -> tuple[AccessToken, ...]:
        """The tokens of the file."""
        self.refresh()
        return self._tokens

    def change(self, change: Callable[[dict[str, AccessToken]], Mapping[str, AccessToken]]) -> None:
        """Replace the tokens of the file by what `change` makes of them; `ConfigError` if it cannot be written."""
        change_tokens(self._path, change)

    def of_digest(self, digest: str) -> AccessToken | None:
        """The token whose secret has that digest, which may have expired, or None.

        Digests are compared, not secrets, so the time reveals nothing about any token.
        """
        now = datetime.now(UTC)
        return next((token for token in self.all() if digest in token.digests(now)), None)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _token(entry: Mapping[str, Any]) -> AccessToken:
    later = (entry.get("expires"), entry.get("previous"), entry.get("previous_until"))
    token = AccessToken(entry["name"], entry["sha256"], tuple(entry["permissions"]), entry["created"], *later)
    if (
        not isinstance(token.name, str)
        or not _is_digest(token.sha256)
        or not _is_digest(token.previous or token.sha256)
    ):
        raise ValueError
    for time in (token.expires, token.previous_until):
        if time is not None and datetime.fromisoformat(time).tzinfo is None:
            raise ValueError
    return token


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64
