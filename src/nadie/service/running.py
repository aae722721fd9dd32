"""Listening: the server under the application, its log, and its orderly end."""

from __future__ import annotations

import os

import uvicorn

from nadie.service.app import create_app
from nadie.service.observing import configure_logging
from nadie.service.settings import Settings

_KEEP_ALIVE_SECONDS = 10
_GRACE_SECONDS = 10
_MOST_HEADER_BYTES = 32_768


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; then take no new requests and finish those under way."""
    os.umask(0o077)
    configure_logging()
    network = settings.network
    config = uvicorn.Config(
        create_app(settings),
        host=network.host,
        port=network.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(settings.limits.seconds) + _GRACE_SECONDS,
        limit_concurrency=4 * settings.limits.requests,
        h11_max_incomplete_event_size=_MOST_HEADER_BYTES,
        ssl_certfile=network.tls_certificate,
        ssl_keyfile=network.tls_key,
    )
    uvicorn.Server(config).run()
