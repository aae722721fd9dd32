"""The people of a service, and their roles: the holders of tokens, and those whom a proxy names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from nadie.errors import ConfigError
from nadie.service.options import Proxy
from nadie.service.problems import ProblemError
from nadie.service.tokens import AccessToken, Permission, TokenFile, granted, new_token
from nadie.service.usage import Usage

_NOBODY = "there is no such person"
_THERE_IS_ONE = "there is a person with this name"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who can sign on, with the times of their token, if they have one. Times are empty if there is none."""

    name: str
    permissions: tuple[str, ...]
    sign_on: Literal["token", "proxy"]
    created: str = ""
    expires: str = ""
    last_used: str = ""
    previous_until: str = ""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made; it is shown this once. `old_until`: the token before it works until then."""

    token: str
    expires: str = ""
    old_until: str = ""


class People:
    """Who can sign on. Nobody can give a permission, or change a person who has one, that they do not have."""

    def __init__(self, tokens: TokenFile | None, proxy: Proxy | None, usage: Usage | None) -> None:
        self._tokens = tokens
        self._proxy = proxy
        self._usage = usage

    def reviewers(self) -> set[str] | None:
        """The names of those who may review; None if nobody signs on."""
        if self._usage is None:
            return None
        return {person.name for person in self.all() if Permission.REVIEW in granted(person.permissions)}

    def all(self) -> list[Person]:
        """Everybody with a token or a role, and everybody whom the proxy has named."""
        return [] if self._usage is None else [*self._with_tokens(self._usage), *self._of_proxy(self._usage)]

    def permissions_of(self, name: str, groups: Sequence[str]) -> frozenset[Permission]:
        """The permissions of somebody whom the proxy names: their role or else that of everybody, and their groups'."""
        if self._proxy is None or self._usage is None:
            return frozenset()
        role = self._usage.roles().get(name)
        if role is not None and not role.permissions:
            return frozenset()  # revoked, whatever the groups
        own = self._proxy.permissions if role is None else role.permissions
        return granted({*own, *(each for group in groups for each in self._proxy.groups.get(group, ()))})

    def add(
        self, name: str, permissions: Sequence[str], days: int | None, by: frozenset[Permission]
    ) -> NewToken | None:
        """Add somebody: with a token if the service has a token file, otherwise as somebody whom the proxy names."""
        _check(permissions, by)
        if any(person.name == name for person in self.all()):
            raise ProblemError("invalid", _THERE_IS_ONE)
        if self._tokens is None:
            self._known_usage().set_role(name, permissions)
            return None
        expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
        secret, token = _made(name, permissions, expires)

        def change(tokens: dict[str, AccessToken]) -> dict[str, AccessToken]:
            if name in tokens:
                raise ProblemError("invalid", _THERE_IS_ONE)
            return {**tokens, name: token}

        _change(self._tokens, change)
        return NewToken(secret, token.expires or "")

    def set_permissions(self, name: str, permissions: Sequence[str], by: frozenset[Permission]) -> None:
        person = self._person(name, by)
        _check(permissions, by)
        if person.sign_on == "proxy" or self._tokens is None:
            self._known_usage().set_role(name, permissions)
        else:
            own = tuple(sorted(set(permissions)))
            _change(self._tokens, lambda tokens: {**tokens, name: replace(_held(tokens, name, by), permissions=own)})

    def rotate(self, name: str, hours: float, by: frozenset[Permission], *, renewed: bool = True) -> NewToken:
        """Give somebody a new token; the old one works for some more hours, so that there is no gap.

        Only an administrator renews: those who could renew their own token would never lose their access.
        """
        if self._tokens is None or self._person(name, by).sign_on != "token":
            raise ProblemError("invalid", "this person has no token")
        made: list[tuple[str, AccessToken]] = []

        def change(tokens: dict[str, AccessToken]) -> dict[str, AccessToken]:
            made.append(_held(tokens, name, by).rotated(hours, renewed=renewed))
            return {**tokens, name: made[0][1]}

        _change(self._tokens, change)
        secret, token = made[0]
        return NewToken(secret, token.expires or "", token.previous_until or "")

    def revoke(self, name: str, by: frozenset[Permission]) -> None:
        person = self._person(name, by)
        if person.sign_on == "proxy" or self._tokens is None:
            self._known_usage().set_role(name, ())  # the proxy still admits the person, who may do nothing here
        else:

            def change(tokens: dict[str, AccessToken]) -> dict[str, AccessToken]:
                _held(tokens, name, by)
                return {each: token for each, token in tokens.items() if each != name}

            _change(self._tokens, change)

    def _person(self, name: str, by: frozenset[Permission]) -> Person:
        for person in self.all():
            if person.name == name:
                _check(person.permissions, by)
                return person
        raise ProblemError("not-found", _NOBODY)

    def _with_tokens(self, usage: Usage) -> list[Person]:
        if self._tokens is None:
            return []
        used = usage.last_uses("token")
        return [
            Person(
                token.name,
                token.permissions,
                "token",
                token.created,
                token.expires or "",
                used.get(token.name, ""),
                token.previous_until or "",
            )
            for token in self._tokens.all()
        ]

    def _of_proxy(self, usage: Usage) -> list[Person]:
        if self._proxy is None:
            return []
        used, roles = usage.last_uses("proxy"), usage.roles()
        everybody = tuple(self._proxy.permissions)
        return [
            Person(
                name,
                roles[name].permissions if name in roles else everybody,
                "proxy",
                roles[name].created if name in roles else "",
                last_used=used.get(name, ""),
            )
            for name in sorted(used.keys() | roles.keys())
        ]

    def _known_usage(self) -> Usage:
        if self._usage is None:
            raise ProblemError("not-found", "nobody signs on at this service")
        return self._usage


def _held(tokens: Mapping[str, AccessToken], name: str, by: frozenset[Permission]) -> AccessToken:
    """The token as it is in the file now: it may have got permissions since it was looked at, or be gone."""
    if name not in tokens:
        raise ProblemError("not-found", _NOBODY)
    _check(tokens[name].permissions, by)
    return tokens[name]


def _check(permissions: Sequence[str], by: frozenset[Permission]) -> None:
    if missing := granted(permissions) - by:
        lacking = min(missing).value
        raise ProblemError("forbidden", f"you do not have the permission {lacking!r} yourself", permission=lacking)


def _change(tokens: TokenFile, change: Callable[[dict[str, AccessToken]], Mapping[str, AccessToken]]) -> None:
    try:
        tokens.change(change)
    except (OSError, ConfigError):
        raise ProblemError("read-only", "the service cannot write its token file: use `nadie tokens`") from None


def _made(name: str, permissions: Sequence[str], expires: datetime | None) -> tuple[str, AccessToken]:
    try:
        return new_token(name, permissions, expires)
    except ConfigError as error:
        raise ProblemError("invalid", error.reason) from None
