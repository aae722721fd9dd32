"""The options of a service, with defaults that are safe on a laptop, and the TOML file they are read from."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo

from nadie.errors import ConfigError
from nadie.options import DetectionOptions, Mode
from nadie.service.tokens import Permission
from nadie.storage import shipped_models

_PREFERRED_MODELS = ("fast", "recrf")


def _beside_file(value: Any, info: ValidationInfo) -> Any:
    """A path given as a string comes from the TOML file, and is relative to its folder."""
    return info.context / value if isinstance(value, str) and isinstance(info.context, Path) else value


FilePath = Annotated[Path, BeforeValidator(_beside_file), Field(strict=False)]
Names = Annotated[tuple[str, ...], Field(strict=False)]
Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]


class _OptionsTable(BaseModel):
    """A table of the TOML file: exactly these keys, each with a value of its type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Limits(_OptionsTable):
    """Limits for one request, one caller and all callers together."""

    text: Count = 200_000
    """Characters of one document."""
    body: Count = 4_000_000
    """Bytes of an ordinary request."""
    batch_body: Count = 64_000_000
    """Bytes of a batch or an export."""
    batch_documents: Count = 5_000
    """Documents of a batch or an export."""
    batches: Count = 4
    """Concurrent batches and exports; any more get 503."""
    batches_per_caller: Count = 2
    """Concurrent batches and exports of one token or, without tokens, one address; any more get 429."""
    seconds: Seconds = 60.0
    """Time for one document or file; after that its worker is ended and replaced, and the document is refused."""
    body_seconds: Seconds = 30.0
    """Time for the head of a request to arrive, and separately for its body."""
    answer_seconds: Seconds = 30.0
    """Time in which a client must read 32 kB of a longer response; after that its connection is closed."""
    queue: Count = 64
    """Jobs that may wait for a worker; any more get 503."""
    wait_seconds: Seconds = 90.0
    """Time that a single request may wait for a worker; after that it gets 503 and is not begun."""
    unpacked: Count = 300_000_000
    """Bytes of an uploaded file after unpacking; a larger one is refused before a worker gets it."""
    bytes_in_flight: Count = 512_000_000
    """Bytes of all request bodies in progress; any more get 503."""
    bytes_per_caller: Count = 128_000_000
    """Bytes of the request bodies in progress of one token or, without tokens, one address; any more get 429."""
    requests: Count = 256
    """Concurrent requests of all callers; any more get 503."""
    keyed_values: Count = 20_000
    """Different hashes, surrogates and shifted dates that one caller gets in a day (UTC); any more get 429."""
    stored_bytes: Count = 2_000_000_000
    """Bytes of texts and files that one caller adds to a project or the vault in a day (UTC); any more get 429."""
    requests_per_caller: Count = 32
    """Concurrent requests of one token or, without tokens, one address; any more get 429."""


class Network(_OptionsTable):
    """The address of the service, and the host names to which it responds."""

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    allowed_hosts: Names = ()
    """Names a `Host` header may have, besides the loopback names. Empty: any, if the address is not loopback."""
    root_path: str = ""
    """The path under which a reverse proxy serves nadie, such as /nadie, whether the proxy removes it or not."""
    proxies: Names = ()
    """Addresses or networks of reverse proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed."""
    health_port: int = Field(default=0, ge=0, le=65535)
    """A port with `/health` and `/ready` only, which answers when all other connections are in use. 0: none."""
    without_token: bool = False
    """Listen on an address other than loopback although no token is required."""
    tls_certificate: FilePath | None = None
    tls_key: FilePath | None = None

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)

    def proxy_networks(self) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
        return [ipaddress.ip_network(each) for each in self.proxies]

    def model_post_init(self, context: Any) -> None:
        if self.root_path and not re.fullmatch(r"(?:/[A-Za-z0-9_.-]+)+", self.root_path):
            raise ConfigError("network.root_path must be a path such as /nadie, without a slash at its end")
        try:
            self.proxy_networks()
        except ValueError:
            raise ConfigError("network.proxies has an entry that is not an address or network") from None


class Proxy(_OptionsTable):
    """A reverse proxy that authenticates people, such as oauth2-proxy, and names them in a header that it sets."""

    trusted: Names = ()
    """The addresses or networks of the proxy. The header is ignored in requests from any other address."""
    user_header: str = "X-Forwarded-User"
    groups_header: str = "X-Forwarded-Groups"
    permissions: Names = ("annotate", "review")
    """The permissions of everybody whom the proxy admits."""
    groups: dict[str, Names] = {}
    """The additional permissions of the members of a group."""
    logout: str = ""
    """The path to which the page goes to sign off, such as /oauth2/sign_out."""

    def networks(self) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
        return [ipaddress.ip_network(each) for each in self.trusted]

    def model_post_init(self, context: Any) -> None:
        try:
            if not self.networks():
                raise ConfigError("proxy.trusted must name the addresses of the proxy")
        except ValueError:
            raise ConfigError("proxy.trusted has an entry that is not an address or network") from None
        names = {*self.permissions, *(name for each in self.groups.values() for name in each)}
        if unknown := names - set(Permission):
            raise ConfigError(f"proxy: there is no permission {min(unknown)!r}; there are: {', '.join(Permission)}")
        if self.logout and (not self.logout.startswith("/") or self.logout.startswith("//")):
            raise ConfigError("proxy.logout must be a path on the same host, such as /oauth2/sign_out")


class ServiceOptions(_OptionsTable):
    """Everything that `create_app` needs."""

    models: Names = ()
    """Names or folders; the first is the default. Empty: the fastest shipped model."""
    workers: Count = 0
    """Worker processes. 0: one for each core, at most four."""
    project: FilePath | None = None
    tokens: FilePath | None = None
    policy: str = "default"
    """The default policy: the name of a shipped policy, or a TOML file."""
    key_file: FilePath | None = None
    """The secret for hashes, surrogates and date shifts. None: a new one at each start."""
    vault: FilePath | None = None
    """The file from which /v1/restore restores originals."""
    vault_key_file: FilePath | None = None
    """The file with the passphrase of the vault."""
    mode: Annotated[Mode, Field(strict=False)] = Mode.BALANCED
    """The operating point: balanced, recall or precision, if the model has them."""
    known: FilePath | None = None
    """A CSV file of identities to find in any spelling."""
    allow: FilePath | None = None
    """A list of terms that are never PHI."""
    deny: FilePath | None = None
    """A list of terms, each with its label, that always are PHI."""
    thresholds: FilePath | None = None
    """A TOML file with the minimum confidence of each label."""
    patterns: FilePath | None = None
    """A TOML file with patterns of one's own."""
    usage: FilePath | None = None
    """The file with sessions, last uses and counts; by default in the project folder, else beside the token file."""
    release: str = ""
    """The name of the release that is being prepared: with another one, hashes and surrogates are others."""
    session_hours: Annotated[float, Field(gt=0)] = 12.0
    """The time after which a person must sign on at the page again."""
    idle_minutes: Seconds = 15.0
    """Minutes of inactivity after which the page locks itself, if people sign on. 0: never."""
    network: Network = Network()
    proxy: Proxy | None = None
    """Sign-on through a proxy, in addition to tokens."""
    limits: Limits = Limits()

    def model_post_init(self, context: Any) -> None:
        if not self.models:
            object.__setattr__(self, "models", (_default_model(),))
        if self.workers <= 0:
            object.__setattr__(self, "workers", max(1, min(4, os.cpu_count() or 1)))
        if len(set(self.models)) < len(self.models):
            raise ConfigError("a model is named twice")
        network = self.network
        if not network.loopback and self.tokens is None and self.proxy is None and not network.without_token:
            raise ConfigError(
                f"{network.host} can be reached from other machines: give --tokens FILE (see `nadie tokens --help`), "
                "or --without-token if access is protected in another way"
            )
        if (network.tls_certificate is None) != (network.tls_key is None):
            raise ConfigError("TLS needs both network.tls_certificate and network.tls_key")

    def detection(self) -> DetectionOptions:
        return DetectionOptions(self.mode, self.known, self.allow, self.deny, self.thresholds, self.patterns)


def is_loopback(host: str) -> bool:
    """Whether `host` can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def read_options(path: Path | None, **given: Any) -> ServiceOptions:
    """The options of a TOML file; the options `given` on the command line override them unless they are None.

    An option with the name of a field of `Network` is one of its fields.
    """
    content = {} if path is None else _read_toml(path)
    options = {key: value for key, value in given.items() if value is not None}
    of_network = {key: options.pop(key) for key in Network.model_fields.keys() & options.keys()}
    if of_network and isinstance(network := content.get("network", {}), dict):
        content["network"] = network | of_network
    try:
        return ServiceOptions.model_validate(content | options, context=path.parent if path else None)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            raise ConfigError(f"there is no option {name!r}") from None
        raise ConfigError(f"the option {name!r} is wrong: {fault['msg']}") from None


def _default_model() -> str:
    shipped = shipped_models()
    for name in (*_PREFERRED_MODELS, *shipped):
        if name in shipped:
            return name
    raise ConfigError("this installation has no model: name one with --model")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None
