"""Identification of the caller: by a token, a session opened with one, or a proxy; otherwise a local user."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from nadie.service.options import ServiceOptions
from nadie.service.people import People
from nadie.service.problems import ProblemError
from nadie.service.tokens import Permission, TokenFile, digest_of, granted
from nadie.service.usage import Usage, usage_of

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller and their permissions."""

    name: str
    permissions: frozenset[Permission]
    sign_on: Literal["none", "token", "proxy"]
    token: str = ""
    """The digest of the token in the request; empty in a session, which cannot open another one."""
    expires: str = ""


LOCAL = Caller("local", frozenset(Permission), "none")


COOKIE = "nadie_session"


class SignOn:
    """The authentication methods of a service."""

    def __init__(self, options: ServiceOptions) -> None:
        self._tokens = None if options.tokens is None else TokenFile(options.tokens)
        self._proxy = options.proxy
        self._networks = [] if options.proxy is None else options.proxy.networks()
        self._hours = options.session_hours
        self.usage = usage_of(options)
        self.people = People(self._tokens, options.proxy, self.usage)

    @property
    def is_needed(self) -> bool:
        return self.usage is not None

    def caller(self, scope: Scope) -> Caller:
        """The sender of a request. The problem that is raised has the name in `caller`, if it is known."""
        if self.usage is None:
            return LOCAL
        caller = self._signed_on(scope, Headers(scope=scope), self.usage)
        self.usage.note(caller.name, caller.sign_on)
        return caller

    def open_session(self, caller: Caller) -> str:
        """The secret of a new session for somebody who signed on with a token."""
        if self.usage is None or not caller.token:
            raise ProblemError("invalid", "sign on with a token first: `Authorization: Bearer TOKEN`")
        return self.usage.open_session(caller.token, self._hours)

    def close_session(self, secret: str) -> None:
        if self.usage is not None:
            self.usage.close_session(secret)

    @property
    def session_seconds(self) -> int:
        return int(3600 * self._hours)

    def _signed_on(self, scope: Scope, headers: Headers, usage: Usage) -> Caller:
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if self._tokens is not None and scheme.lower() == "bearer" and secret.strip():
            return self._by_token(scope, self._tokens, digest_of(secret.strip()))
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE)
        if self._tokens is not None and cookie:
            digest = usage.session(cookie)
            if digest is None:
                raise ProblemError("unauthorized", "the session has ended: sign on again", reason="expired")
            return replace(self._by_token(scope, self._tokens, digest), token="")
        by_proxy = self._by_proxy(scope, headers)
        if by_proxy is not None:
            return by_proxy
        advice = "send the header `Authorization: Bearer TOKEN`" if self._tokens is not None else "sign on at the proxy"
        raise ProblemError("unauthorized", advice, reason="missing")

    def _by_token(self, scope: Scope, tokens: TokenFile, digest: str) -> Caller:
        token = tokens.of_digest(digest)
        if token is None:
            raise ProblemError("unauthorized", "there is no such token, or it was revoked", reason="wrong")
        scope["nadie.editor"] = token.name
        if not token.valid(datetime.now(UTC)):
            raise ProblemError("unauthorized", "the token has expired", reason="expired")
        return Caller(token.name, granted(token.permissions), "token", digest, token.expires or "")

    def _by_proxy(self, scope: Scope, headers: Headers) -> Caller | None:
        """The person named by the proxy; None unless the request comes from it and has each header once at most."""
        proxy, client = self._proxy, scope.get("nadie.peer", scope.get("client"))
        if proxy is None or client is None or not self._is_trusted(client[0]):
            return None
        names, listed = headers.getlist(proxy.user_header), headers.getlist(proxy.groups_header)
        if len(names) != 1 or len(listed) > 1:  # one of them may be the client's own
            return None
        name = _decoded(names[0]).strip()
        if not name or not name.isprintable() or len(name) > _LONGEST_NAME:
            return None
        groups = [group.strip() for value in listed for group in value.split(",")]
        return Caller(name, self.people.permissions_of(name, [_decoded(group) for group in groups]), "proxy")

    def _is_trusted(self, address: str) -> bool:
        try:
            asked = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(asked in network for network in self._networks)


def _decoded(value: str) -> str:
    """A header in UTF-8, as proxies send names; the server decodes headers as Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return value
