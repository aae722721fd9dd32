"""The secrets of a service, from files: that of hashes, surrogates and date shifts, and the passphrase of the vault."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError
from nadie.service.monitoring import ERRORS
from nadie.service.options import ServiceOptions

S = TypeVar("S", bound=Secret)


def service_secret(options: ServiceOptions) -> Secret:
    """The secret of the API: that of the options, otherwise a random one.

    The same file gives the same surrogates as with `nadie anonymize --key-file`.
    """
    if options.key_file is None:
        return Secret.random()
    secret = read_secret(options.key_file, Secret)
    secret.key()  # fails at start-up for a key that can be guessed or has no salt
    return secret


def project_secret(folder: Path) -> Secret:
    """The secret of a project, made when the project is first opened. It is never that of the API."""
    file = folder / "key"
    try:
        file.touch(mode=0o600, exist_ok=False)
        file.write_text(Secret.random().to_text() + "\n", encoding="ascii")
    except FileExistsError:
        pass
    except OSError as error:
        raise ConfigError(f"{file} cannot be written ({error.strerror})") from None
    return read_secret(file, Secret)


def read_secret(file: Path, secret_type: type[S]) -> S:
    """Read a key file; concerns about it are logged."""
    secret = secret_type.from_file(file)
    for concern in secret.concerns():
        ERRORS.warning("%s", concern)
    return secret
