"""Identification of the caller: by a token, by a proxy that authenticated the person, or else a local user."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import Scope

from nadie.service.options import Proxy
from nadie.service.problems import ProblemError
from nadie.service.tokens import Permission, TokenFile, granted

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller and their permissions."""

    name: str
    permissions: frozenset[Permission]
    sign_on: Literal["none", "token", "proxy"]


LOCAL = Caller("local", frozenset(Permission), "none")


class SignOn:
    """The authentication methods of a service."""

    def __init__(self, tokens: TokenFile | None, proxy: Proxy | None) -> None:
        self._tokens = tokens
        self._proxy = proxy
        self._networks = [] if proxy is None else proxy.networks()

    @property
    def is_needed(self) -> bool:
        return self._tokens is not None or self._proxy is not None

    def caller(self, scope: Scope) -> Caller:
        """The sender of a request. The problem that is raised has the name in `caller`, if it is known."""
        if not self.is_needed:
            return LOCAL
        headers = Headers(scope=scope)
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if self._tokens is not None and scheme.lower() == "bearer" and secret.strip():
            return self._by_token(scope, self._tokens, secret.strip())
        by_proxy = self._by_proxy(scope, headers)
        if by_proxy is not None:
            return by_proxy
        advice = "send the header `Authorization: Bearer TOKEN`" if self._tokens is not None else "sign on at the proxy"
        raise ProblemError("unauthorized", advice, reason="missing")

    def _by_token(self, scope: Scope, tokens: TokenFile, secret: str) -> Caller:
        token = tokens.holder(secret)
        if token is None:
            raise ProblemError("unauthorized", "there is no such token, or it was revoked", reason="wrong")
        scope["nadie.editor"] = token.name
        if not token.valid(datetime.now(UTC)):
            raise ProblemError("unauthorized", "the token has expired", reason="expired")
        return Caller(token.name, granted(token.permissions), "token")

    def _by_proxy(self, scope: Scope, headers: Headers) -> Caller | None:
        """The person named by the proxy; None unless the request comes from it and names exactly one."""
        proxy, client = self._proxy, scope.get("client")
        if proxy is None or client is None or not self._is_trusted(client[0]):
            return None
        names = headers.getlist(proxy.user_header)
        if len(names) != 1:
            return None
        name = _decoded(names[0]).strip()
        if not name or not name.isprintable() or len(name) > _LONGEST_NAME:
            return None
        groups = [group.strip() for value in headers.getlist(proxy.groups_header) for group in value.split(",")]
        named = {permission for group in groups for permission in proxy.groups.get(_decoded(group), ())}
        return Caller(name, granted({*proxy.permissions, *named}), "proxy")

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
