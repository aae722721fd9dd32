"""Every path, user, flag, port and route that the container recipe names."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import typer.main

from nadie.cli.main import build
from nadie.service.options import Network, read_options

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
STEPS = [line.split(maxsplit=1) for line in RECIPE.splitlines() if line and not line.startswith("#")]


def of(name: str) -> list[str]:
    return [argument for step, argument in STEPS if step == name]


def test_both_stages_stand_on_the_same_image() -> None:
    assert of("FROM") == ["${PYTHON} AS build", "${PYTHON}"]
    (default,) = of("ARG")
    least = re.search(r">=(3\.\d+)", tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"])
    assert least is not None
    assert default.startswith(f"PYTHON=docker.io/library/python:{least[1]}-slim-")


def test_what_is_copied_is_there_and_all_that_the_build_needs() -> None:
    copied = [argument.split() for argument in of("COPY")]
    sources = {name for *names, _ in copied for name in names if not name.startswith(("--from", "/"))}
    assert sources
    assert not [name for name in sources if not (ROOT / name).exists()]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"pyproject.toml", "src", project["readme"], *project["license-files"]} <= sources


def test_extras_and_program_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r'pip install --no-cache-dir "\.\[([a-z,]+)\]"', RECIPE)
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    program, *_ = json.loads(of("ENTRYPOINT")[0])
    assert program in project["scripts"]


def test_the_image_runs_as_a_user_without_rights_in_a_folder_of_its_own() -> None:
    (user,) = of("USER")
    made = next(argument for argument in of("RUN") if "useradd" in argument)
    (owner, group, mode, folder) = re.findall(r"install -d -o (\w+) -g (\w+) -m (\d+) (\S+)", made)[0]
    assert made.split("&&")[0].split()[-1] == user == owner == group
    assert int(re.findall(r"--uid (\d+)", made)[0]) > 10_000
    assert "--no-create-home" in made
    assert (mode, [folder]) == ("0700", of("WORKDIR")[-1:])
    assert of("VOLUME") == [folder]
    steps = [step for step, _ in STEPS]
    assert steps.index("USER") > len(steps) - 1 - steps[::-1].index("RUN")


def test_the_environment_is_built_where_it_is_looked_for() -> None:
    (place,) = re.findall(r"python -m venv (\S+)", RECIPE)
    assert f"--from=build {place} {place}" in of("COPY")
    assert any(f"PATH={place}/bin:" in each for each in of("ENV"))


def test_flags_ports_and_routes_are_those_of_the_service() -> None:
    command = typer.main.get_command(build()).commands["serve"]  # type: ignore[attr-defined]
    flags = {flag for parameter in command.params for flag in parameter.opts}
    given = [*json.loads(of("ENTRYPOINT")[0]), *json.loads(of("CMD")[0])]
    assert given[1] == "serve"
    assert {word for word in given if word.startswith("--")} <= flags
    config = given[given.index("--config") + 1]
    assert any(argument.split() == ["deploy/serve.toml", config] for argument in of("COPY"))
    (folder,) = of("VOLUME")
    for flag in ("--tokens", "--project"):
        assert given[given.index(flag) + 1].startswith(f"{folder}/")
    assert of("EXPOSE") == [str(Network().port)]
    (check,) = of("HEALTHCHECK")
    assert f"http://127.0.0.1:{Network().port}/ready" in check
    compile(json.loads(check[check.index("CMD [") + 4 :])[2], "healthcheck", "exec")


def test_the_settings_file_is_read(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "serve.toml").read_text(encoding="utf-8")
    assert read_options(ROOT / "deploy" / "serve.toml").network == Network()
    told = re.sub(r"^# (?=[a-z_]+ = |\[[a-z]+\]$)", "", text, flags=re.MULTILINE)
    for name in ("server.pem", "server.key"):
        (tmp_path / name).touch()
    (tmp_path / "serve.toml").write_text(told, encoding="utf-8")
    options = read_options(tmp_path / "serve.toml")
    assert options.network.port == Network().port
    assert options.limits == type(options.limits)()
