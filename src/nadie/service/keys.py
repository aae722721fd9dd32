"""The secret from which hashes, surrogates and date shifts are derived."""

from __future__ import annotations

import secrets
from pathlib import Path

from nadie.errors import ConfigError
from nadie.service.settings import ServiceSettings

_LEAST_BYTES = 16


def service_secret(settings: ServiceSettings) -> str:
    """The secret of the settings, otherwise that of the project, otherwise a random one; in hexadecimal digits.

    The same file gives the same surrogates as with `nadie anonymize --key-file`.
    """
    if settings.key_file is not None:
        return _read(settings.key_file).hex()
    if settings.project is None:
        return secrets.token_hex(32)
    file = settings.project / "key"
    try:
        file.touch(mode=0o600, exist_ok=False)
        file.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
    except FileExistsError:
        pass
    except OSError as error:
        raise ConfigError(f"{file} cannot be written ({error.strerror})") from None
    return _read(file).hex()


def _read(file: Path) -> bytes:
    try:
        key = file.read_bytes().rstrip(b"\r\n")
    except OSError as error:
        raise ConfigError(f"the key file {file} cannot be read ({error.strerror})") from None
    if len(key) < _LEAST_BYTES:
        raise ConfigError(f"the key in {file} is shorter than {_LEAST_BYTES} bytes")
    return key
