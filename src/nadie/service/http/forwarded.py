"""The outermost middleware: what a reverse proxy says about a request, and the path under which it serves nadie.

Headers of a proxy are used only in requests that come from one of the named proxies; anybody could send them.
"""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from nadie.service.options import Network


class Forwarded:
    """Sets the client's address, the scheme and the host that the client used, and removes the path of the proxy.

    `nadie.peer` stays the address that the connection comes from, `nadie.host` is the host in the client's address bar.
    """

    def __init__(self, app: ASGIApp, *, network: Network) -> None:
        self._app = app
        self._root = network.root_path
        self._proxies = network.proxy_networks()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["nadie.peer"], scope["nadie.root"] = scope.get("client"), self._root
            headers = Headers(scope=scope)
            scope["nadie.host"] = headers.get("host", "")
            if self._is_proxy((scope.get("client") or ("",))[0]):
                self._read(scope, headers)
            if self._root and scope["path"] == self._root:
                await RedirectResponse(f"{self._root}/", 308)(scope, receive, send)
                return
            if self._root and scope["path"].startswith(f"{self._root}/"):
                scope["path"] = scope["path"].removeprefix(self._root)
        await self._app(scope, receive, send)

    def _read(self, scope: Scope, headers: Headers) -> None:
        addresses = _listed(headers, "x-forwarded-for")
        # The last address that is not a proxy's: whatever stands before it was sent by the client itself.
        client = next((each for each in reversed(addresses) if not self._is_proxy(each)), None)
        if client is not None and _address(client) is not None:
            scope["client"] = (client, 0)
        schemes, hosts = _listed(headers, "x-forwarded-proto"), _listed(headers, "x-forwarded-host")
        if schemes and schemes[-1] in ("http", "https"):
            scope["scheme"] = schemes[-1]
        if hosts:
            scope["nadie.host"] = hosts[-1]

    def _is_proxy(self, address: str) -> bool:
        known = _address(address)
        return known is not None and any(known in network for network in self._proxies)


def _listed(headers: Headers, name: str) -> list[str]:
    return [each.strip() for value in headers.getlist(name) for each in value.split(",") if each.strip()]


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None
