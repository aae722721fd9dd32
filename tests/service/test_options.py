"""Options, the TOML file, tokens and keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nadie.anonymize.secret import Key, Secret
from nadie.cli.batch import secret_from
from nadie.errors import ConfigError, NadieError
from nadie.service.http.keys import project_secret, service_secret
from nadie.service.options import Network, ServiceOptions, is_loopback, read_options
from nadie.service.tokens import TokenFile, new_token, read_tokens, write_tokens


def options(model: Path, **more: object) -> ServiceOptions:
    return ServiceOptions(models=(str(model),), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        *((host, True) for host in ("127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost")),
        *((host, False) for host in ("0.0.0.0", "::", "10.0.0.1", "localhost.example", "")),
    ],
)
def test_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.1.2.3", "nadie.hospital.example"])
def test_another_address_needs_a_token_or_the_flag(model: Path, host: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--tokens"):
        options(model, network=Network(host=host))
    assert options(model, network=Network(host=host, without_token=True)).network.host == host
    assert options(model, network=Network(host=host), tokens=tmp_path / "t.json").tokens


def test_the_file_and_the_command_line_go_together(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(
        """
        models = ["a", "b"]
        project = "review"
        [network]
        port = 9000
        allowed_hosts = ["nadie.hospital.example"]
        [limits]
        text = 1000
        seconds = 2.5
        """
    )
    read = read_options(file, port=9001, models=None, host=None)
    assert read.models == ("a", "b")
    assert read.project == tmp_path / "review"
    assert (read.network.port, read.network.allowed_hosts) == (9001, ("nadie.hospital.example",))
    assert (read.limits.text, read.limits.seconds) == (1000, 2.5)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nonsense = 1", "no option 'nonsense'"),
        ("[limits]\ntexts = 1", "no option 'limits.texts'"),
        ('[limits]\ntext = "1"', "'limits.text'.* integer"),
        ("[limits]\ntext = -1", "'limits.text'"),
        ("[limits]\ntext = 1.5", "'limits.text'.* integer"),
        ("[limits]\ntext = true", "'limits.text'.* integer"),
        ("limits = 3", "'limits'"),
        ("network = 3", "'network'"),
        ("network = {host = 3}", "'network.host'.* string"),
        ("network = {port = 65536}", "'network.port'"),
        ("models = 'a'", "'models'.* tuple"),
        ("models = [1]", "'models.0'"),
        ("project = 1", "'project'"),
        ("mode = 'best'", "'mode'.* 'balanced', 'recall' or 'precision'"),
        ("not toml", "is not TOML"),
        ("[network]\ntls_key = 'k.pem'", "tls_certificate"),
        ('models = ["a", "a"]', "twice"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(content)
    with pytest.raises(ConfigError, match=message):
        read_options(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_options(tmp_path / "none.toml")


@pytest.mark.parametrize("name", ["", "x" * 61, "line\nbreak"])
def test_a_token_has_a_printable_name(name: str) -> None:
    with pytest.raises(ConfigError):
        new_token(name)


def test_a_token_allows_only_what_there_is() -> None:
    with pytest.raises(ConfigError, match="permission"):
        new_token("maria", ["everything"])


def test_tokens_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "tokens.json"
    made = {name: new_token(name)[1] for name in ("maría", "josé")}
    write_tokens(path, made)
    assert read_tokens(path) == made
    assert [file.name for file in path.parent.iterdir()] == ["tokens.json"]


@pytest.mark.parametrize("content", ["", "[]", '{"tokens": 1}', '{"tokens": [{"name": "a"}]}', '{"tokens": []}'])
def test_a_service_does_not_start_on_a_broken_or_empty_token_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(content)
    with pytest.raises(NadieError):
        TokenFile(path)


def test_an_expiry_without_a_time_zone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    write_tokens(path, {"a": new_token("a")[1]})
    content = json.loads(path.read_text())
    content["tokens"][0]["expires"] = "2030-01-01T00:00:00"
    path.write_text(json.dumps(content))
    with pytest.raises(ConfigError):
        read_tokens(path)


def test_keys(model: Path, tmp_path: Path) -> None:
    assert service_secret(options(model)).to_text() != service_secret(options(model)).to_text()
    assert project_secret(tmp_path).to_text() == project_secret(tmp_path).to_text()
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    short = tmp_path / "short"
    short.write_text("abc")
    with pytest.raises(ConfigError, match="can be guessed"):
        service_secret(options(model, key_file=short))
    with pytest.raises(ConfigError, match="cannot be read"):
        service_secret(options(model, key_file=tmp_path / "none"))


@pytest.mark.parametrize(
    "content", [b"una clave bastante larga\r\n", b"  una clave larga con espacios  \n", bytes(range(1, 40))]
)
def test_a_key_file_gives_the_same_key_to_the_service_and_the_command(
    model: Path, tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    file.chmod(0o644)
    given = secret_from(file, "NADIE_KEY")
    assert given is not None
    secret = service_secret(options(model, key_file=file))
    assert Key.of(Secret.from_text(secret.to_text())).name == Key.of(given).name
    assert ["chmod 600" in told for told in (caplog.text, capsys.readouterr().err)] == [True, True]
