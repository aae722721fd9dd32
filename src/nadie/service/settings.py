"""What an operator can set, with defaults that are safe on a laptop, and the TOML file it is read from."""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from nadie.errors import ConfigError
from nadie.storage import shipped_models

_PREFERRED_MODELS = ("fast", "recrf")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request, one caller and all together may ask for."""

    text: int = 200_000
    """Characters of one document."""
    body: int = 4_000_000
    """Bytes of an ordinary request."""
    batch_body: int = 64_000_000
    """Bytes of a batch or an export."""
    batch_documents: int = 5_000
    """Documents of a batch or an export."""
    batches: int = 4
    """Batches and exports under way; one more is answered with 503."""
    seconds: float = 60.0
    """Time for one document, or for the few that a worker takes together; the worker is ended after it."""
    body_seconds: float = 30.0
    """Time in which the body of a request has to arrive."""
    queue: int = 64
    """Pieces of work that may wait for a worker; one more is answered with 503."""
    requests: int = 256
    """Requests under way from everyone together; one more is answered with 503."""
    requests_per_caller: int = 32
    """Requests under way from one token or, without tokens, one address; one more is answered with 429."""


@dataclass(frozen=True, slots=True)
class Network:
    """Where the service listens and under which names it answers."""

    host: str = "127.0.0.1"
    port: int = 8000
    allowed_hosts: tuple[str, ...] = ()
    """Names a `Host` header may carry, beside the loopback names. Empty: any, if the address is not loopback."""
    without_token: bool = False
    """Listen on another address than loopback although no token is asked for."""
    tls_certificate: Path | None = None
    tls_key: Path | None = None

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything `create_app` needs to know."""

    models: tuple[str, ...] = ()
    """Names or folders; the first is the default. Empty: the fastest model that ships."""
    workers: int = 0
    """Processes that hold the models. 0: one for each core, at most four."""
    project: Path | None = None
    tokens: Path | None = None
    policy: str = "default"
    """What an anonymization uses that names no policy: the name of one that ships, or a TOML file."""
    key_file: Path | None = None
    """The secret that hashes, surrogates and date shifts are derived from. None: a new one for each start."""
    vault: Path | None = None
    """The file that keeps the way back of outputs that are to be kept; /v1/restore reads it."""
    vault_key_file: Path | None = None
    """The file that holds the vault's passphrase."""
    mode: str = "balanced"
    """The operating point: balanced, recall or precision, where the model has them."""
    known: Path | None = None
    """A CSV of identities that are surely in the notes."""
    allow: Path | None = None
    """A list of terms that are no identifiers."""
    deny: Path | None = None
    """A list of terms that are."""
    thresholds: Path | None = None
    """A TOML file that says how sure the models have to be, for each label."""
    network: Network = field(default_factory=Network)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if not self.models:
            object.__setattr__(self, "models", (_default_model(),))
        if self.workers <= 0:
            object.__setattr__(self, "workers", max(1, min(4, os.cpu_count() or 1)))
        if len(set(self.models)) < len(self.models):
            raise ConfigError("a model is named twice")
        network = self.network
        if not network.loopback and self.tokens is None and not network.without_token:
            raise ConfigError(
                f"{network.host} can be reached from other machines: give --tokens FILE (see `nadie tokens --help`), "
                "or --without-token if something else guards the service"
            )
        if (network.tls_certificate is None) != (network.tls_key is None):
            raise ConfigError("TLS needs both network.tls_certificate and network.tls_key")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def read_settings(path: Path | None, **given: Any) -> Settings:
    """The settings of a TOML file, with what was given on the command line on top.

    A key of `given` that is None was not given. Keys of `Network` are told by their own names.
    """
    content = {} if path is None else _read_toml(path)
    base = Path() if path is None else path.parent
    limits = _section(Limits, content.pop("limits", {}), base)
    network = _section(Network, content.pop("network", {}), base)
    told = {key: value for key, value in given.items() if value is not None}
    of_network = {field.name for field in fields(Network)} & told.keys()
    network = replace(network, **{key: told.pop(key) for key in of_network})
    values = {**_checked(Settings, content, base), **told}
    return Settings(network=network, limits=limits, **values)


def _default_model() -> str:
    shipped = shipped_models()
    for name in (*_PREFERRED_MODELS, *shipped):
        if name in shipped:
            return name
    raise ConfigError("no model ships with this installation: name one with --model")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None


def _section(kind: type[Any], content: Any, base: Path) -> Any:
    if not isinstance(content, dict):
        raise ConfigError(f"[{kind.__name__.lower()}] must be a table")
    return kind(**_checked(kind, content, base))


def _checked(kind: type[Any], content: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """The values of a table, each of the type its field has; paths are relative to the file they stand in."""
    types = {field.name: str(field.type) for field in fields(kind) if field.name not in ("network", "limits")}
    values: dict[str, Any] = {}
    for key, value in content.items():
        if key not in types:
            raise ConfigError(f"there is no setting {key!r}; there are: {', '.join(sorted(types))}")
        values[key] = _converted(key, value, types[key], base)
    return values


def _converted(key: str, value: Any, kind: str, base: Path) -> Any:
    if kind == "Path | None" and isinstance(value, str):
        return base / value
    if kind == "tuple[str, ...]" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind in ("int", "float") and isinstance(value, int | float) and not isinstance(value, bool):
        if value < 0 or (kind == "int" and not isinstance(value, int)):
            raise ConfigError(f"the setting {key!r} must be a whole number that is not negative")
        return value
    if kind == "str" and isinstance(value, str):
        return value
    raise ConfigError(f"the setting {key!r} must be of type {kind}")
