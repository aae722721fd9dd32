"""Build the documentation site, in English and Spanish, from docs/en and docs/es.

    python scripts/build_site.py [--out build/site]

The pages are plain Markdown whose links also work in the repository. Before the build they are copied, and the links
that leave a language's tree are changed: images and files of the repository are copied into the site, a page of the
other language is linked where it will be. Zensical then builds each tree with mkdocs.en.yml or mkdocs.es.yml and
fails on any warning. The site loads nothing from elsewhere. Its pages open from a disk; the search needs a server, such
as `python -m http.server --directory build/site`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LANGUAGES = ("en", "es")
STAGED = ROOT / "build" / "docs"
_LINK = re.compile(r"(?<!`)(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")


def stage(language: str, into: Path) -> None:
    """Copy the tree of a language to `into`, with links that work in the site."""
    shutil.rmtree(into, ignore_errors=True)
    tree = DOCS / language
    for source in sorted(tree.rglob("*.md")):
        target = into / source.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(staged(source, language, into), encoding="utf-8")
    shutil.copytree(DOCS / "style", into / "style")


def staged(source: Path, language: str, into: Path) -> str:
    """The text of a page, with the links of the site."""
    up = "../" * len(source.relative_to(DOCS / language).parent.parts)

    def link(found: re.Match[str]) -> str:
        sign, words, path, anchor = found[1], found[2], found[3], found[4] or ""
        target = Path(os.path.normpath(source.parent / path))
        if target.is_relative_to(DOCS / language):
            return found[0]
        inside = target.relative_to(ROOT)
        if inside.parts[0] == "docs" and inside.parts[1] in LANGUAGES:
            return f"[{words}]({up}../{inside.relative_to('docs').with_suffix('.html').as_posix()}{anchor})"
        if target.is_dir():
            return f"{words} (`{inside.as_posix()}/`)"
        place = f"files/{inside.as_posix()}" + ("" if target.suffix in (".png", ".json", ".svg", ".ipynb") else ".txt")
        (into / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, into / place)
        return f"{sign}[{words}]({up}{place})"

    return _LINK.sub(link, source.read_text(encoding="utf-8"))


def build(out: Path) -> None:
    """Build both languages into `out`. Raises CalledProcessError if there is a warning."""
    shutil.rmtree(out, ignore_errors=True)
    for language in LANGUAGES:
        stage(language, STAGED / language)
        config = ROOT / f"mkdocs.{language}.yml"
        subprocess.run(  # noqa: S603 - a constant command
            [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", config],
            cwd=ROOT,
            env={**os.environ, "NO_COLOR": "1"},
            check=True,
        )
        for page in (ROOT / "build" / f"site-{language}").rglob("*.html"):
            html = page.read_text(encoding="utf-8")
            page.write_text(html.replace("<th></th>", "<td></td>"), encoding="utf-8")  # no header without words
        shutil.move(ROOT / "build" / f"site-{language}", out / language)
    shutil.copyfile(DOCS / "index.html", out / "index.html")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="folder of the site; it is emptied")
    out = parser.parse_args().out
    try:
        build(out)
    except subprocess.CalledProcessError as failure:
        return int(failure.returncode)
    print(f"open {out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
