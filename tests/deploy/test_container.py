"""The container recipe, built with buildah and run as it says, on a base image made of this machine's Debian packages.

The recipe's own base image is in a registry. What stands in for it has the same: Debian, a shell, `useradd`, and a
Python with `venv`, which is called `python`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "deploy" / "Containerfile"
WANTED = ("python3-venv", "passwd", "apt")
FIELDS = "${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\n"


def packages() -> list[str]:
    """The installed packages that are essential or wanted, and all that they depend on."""
    listed = subprocess.run(["dpkg-query", "-W", "-f", FIELDS], capture_output=True, text=True, check=True).stdout
    depends: dict[str, list[str]] = {}
    provides: dict[str, str] = {}
    todo = list(WANTED)
    for line in listed.splitlines():
        name, essential, needs, given = line.split("\t")
        depends[name] = re.findall(r"(?:^|[,|])\s*([a-z0-9.+-]+)", needs)
        provides |= dict.fromkeys(re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", given), name)
        todo += [name] * (essential == "yes")
    found: set[str] = set()
    while todo:
        name = todo.pop()
        name = name if name in depends else provides.get(name, "")
        if name and name not in found:
            found.add(name)
            todo += depends[name]
    return sorted(found)


def make_base(folder: Path, wheels: Path) -> None:
    """The files of these packages, with the users that base-passwd gives, and pip told to take from a folder."""
    owned = subprocess.run(["dpkg-query", "-L", *packages()], capture_output=True, text=True, check=True).stdout
    unneeded = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/info/")
    paths = {Path(line) for line in owned.splitlines() if line.startswith("/") and not line.startswith(unneeded)}
    for name in ("bin", "sbin", "lib", "lib64"):
        (folder / "usr" / name).mkdir(parents=True)
        (folder / name).symlink_to(f"usr/{name}")
    for path in sorted(paths, key=lambda path: len(path.parts)):
        target = folder / path.relative_to("/")
        if path.is_dir() and not path.is_symlink():
            target.mkdir(parents=True, exist_ok=True)
        elif path.exists() and not os.path.lexists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target, follow_symlinks=False)
    for name in ("passwd", "group"):
        shutil.copy(folder / "usr/share/base-passwd" / f"{name}.master", folder / "etc" / name)
    for name in ("shadow", "gshadow"):
        (folder / "etc" / name).touch(mode=0o640)
    (folder / "usr/bin/python").symlink_to("python3")
    (folder / "tmp").chmod(0o1777)
    (folder / "etc/pip.conf").write_text(f"[global]\nno-index = true\nfind-links = {wheels}\n", encoding="utf-8")


def fetch_wheels(folder: Path) -> None:
    """The wheels that the recipe installs, in the versions that the tests use and pip has therefore cached."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (extras,) = re.findall(r'"\.\[([a-z,]+)\]"', RECIPE.read_text(encoding="utf-8"))
    needed = {*project["project"]["dependencies"], *project["build-system"]["requires"]}
    for extra in extras.split(","):
        needed.update(project["project"]["optional-dependencies"][extra])
    needed = {each for each in needed if not each.startswith("nadie[")}
    pip = [sys.executable, "-m", "pip"]
    listed = subprocess.run([*pip, "list", "--format=freeze", "--exclude-editable"], stdout=subprocess.PIPE, check=True)
    versions = folder / "versions.txt"
    versions.write_bytes(listed.stdout)
    python = subprocess.run(["/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                            capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
    options = ["-qq", "--only-binary=:all:", "--python-version", python, "--dest", str(folder)]
    subprocess.run([*pip, "download", *options, "--constraint", str(versions), *sorted(needed)], check=True)


@dataclass(frozen=True)
class Buildah:
    """buildah with a storage of its own, without a daemon, a registry or, with subordinate ids, root."""

    folder: Path
    driver: str = "vfs"
    """How layers are stored; `overlay` copies less, and not every disk can do it."""

    def command(self, *arguments: str | Path) -> list[str]:
        places = ["--root", str(self.folder / "storage"), "--runroot", str(self.folder / "run")]
        return ["buildah", *places, "--storage-driver", self.driver, *map(str, arguments)]

    def __call__(self, *arguments: str | Path) -> str:
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"buildah {arguments[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout.strip()


@dataclass(frozen=True)
class Image:
    """A container of the built image, and the configuration of the image."""

    buildah: Buildah
    container: str
    config: dict[str, Any]

    def command(self, *command: str) -> list[str]:
        return self.buildah.command("run", "--isolation", "chroot", self.container, "--", *command)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*command), capture_output=True, text=True, check=False)


def built(buildah: Buildah) -> Image:
    """A container of the image that the recipe makes."""
    wheels, base = buildah.folder / "wheels", buildah.folder / "base"
    first = buildah("from", "scratch")
    buildah("copy", "--quiet", first, base, "/")
    buildah("commit", "--quiet", first, "localhost/python")
    buildah(
        "build", "--quiet", "--isolation", "chroot", "--pull-never", "--format", "docker", "--tag", "localhost/nadie",
        "--build-arg", "PYTHON=localhost/python", "--volume", f"{wheels}:{wheels}:ro", "--file", RECIPE, ROOT,
    )  # fmt: skip
    container = buildah("from", "--pull-never", "localhost/nadie")
    config = json.loads(buildah("inspect", "--type", "image", "localhost/nadie"))["Docker"]["config"]
    return Image(buildah, container, config)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    if shutil.which("buildah") is None or not Path("/var/lib/dpkg/info/python3-venv.list").exists():
        pytest.skip("buildah or python3-venv is not here: apt-get install buildah python3-venv")
    folder = tmp_path_factory.mktemp("container")
    for name in ("wheels", "base"):
        (folder / name).mkdir()
    fetch_wheels(folder / "wheels")
    make_base(folder / "base", folder / "wheels")
    fast = Buildah(folder, "overlay")
    buildah = fast if subprocess.run(fast.command("from", "scratch"), check=False).returncode == 0 else Buildah(folder)
    try:
        yield built(buildah)
    finally:
        buildah("rm", "--all")
        buildah("rmi", "--all", "--force")
        shutil.rmtree(folder)


def test_the_image_has_the_package_and_nothing_of_its_build(image: Image) -> None:
    shown = image.run("nadie", "models")
    assert (shown.returncode, "fast" in shown.stdout) == (0, True), shown.stderr
    for gone in ("/source", "/root/.cache/pip"):
        assert image.run("test", "-e", gone).returncode == 1, f"{gone} is in the image"


def test_it_writes_nowhere_but_to_its_volume(image: Image) -> None:
    assert image.run("id", "-u").stdout.strip() == "10001"
    for place, code in (("/data", 0), ("/opt/nadie", 1), ("/etc/nadie", 1), ("/usr", 1)):
        assert image.run("test", "-w", place).returncode == code, place


def test_it_serves_as_it_says(image: Image) -> None:
    made = image.run("nadie", "tokens", "add", "ana", "--file", "/data/tokens.json", "--allow", "annotate")
    assert made.returncode == 0, made.stderr
    token = made.stdout.strip()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = [*image.config["Entrypoint"], *image.config["Cmd"], "--port", str(port)]
    service = subprocess.Popen(
        image.command(*started),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        check = [word.replace(":8000/", f":{port}/") for word in image.config["Healthcheck"]["Test"][1:]]
        latest = time.monotonic() + 120
        while image.run(*check).returncode != 0 and time.monotonic() < latest:
            assert service.poll() is None, service.communicate()[0]
            time.sleep(0.5)
        url, body = f"http://127.0.0.1:{port}/v1/annotate", {"text": "Acude Lucía Prado Gil el 4/5/2021."}
        assert httpx2.post(url, json=body, trust_env=False, timeout=120).status_code == 401
        answer = httpx2.post(url, json=body, headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=120)
        labels = {span["label"] for span in answer.json()["spans"]}
        assert {"NOMBRE_SUJETO_ASISTENCIA", "FECHAS"} & labels, answer.text
        assert image.run("test", "-d", "/data/project").returncode == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(service.pid, signal.SIGTERM)
        service.communicate(timeout=60)
