"""Check that every section of a Spanish page was translated from the English section as it is now.

    python scripts/check_translations.py            name the sections whose English text changed since
    python scripts/check_translations.py --stamp docs/es/compliance/law.md
                                                    after revising it: note that this page is up to date

A page of docs/es has the name of its English page in docs/en, and the same headings in the same order. Below each
Spanish heading stands the hash of the English section: <!-- en: 1a2b3c4d -->.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, SPANISH = ROOT / "docs" / "en", ROOT / "docs" / "es"
_HEADING = re.compile(r"^#{1,3} .+$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_GENERATED = re.compile(r"(<!-- table: [a-z-]+ -->).*?<!-- end -->", re.DOTALL)
_STAMP = re.compile(r"\n<!-- en: ([0-9a-f]{8}) -->")


def sections(text: str) -> list[str]:
    """The text from each heading to the next. A `#` in a code block is no heading."""
    hidden = _CODE.sub(lambda block: re.sub(r"[^\n]", " ", block.group()), text)
    starts = [heading.start() for heading in _HEADING.finditer(hidden)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def stamp_of(section: str) -> str:
    """The hash of an English section. Line breaks within a paragraph do not count, nor do generated tables."""
    return hashlib.sha256(" ".join(_GENERATED.sub(r"\1", section).split()).encode()).hexdigest()[:8]


def problems() -> Iterator[str]:
    """What is missing, or older than its English text."""
    for page in sorted(SPANISH.rglob("*.md")):
        name = page.relative_to(SPANISH)
        if not (ENGLISH / name).is_file():
            yield f"docs/es/{name} has no English page"
            continue
        translated, originals = (sections(place.read_text(encoding="utf-8")) for place in (page, ENGLISH / name))
        if len(translated) != len(originals):
            yield f"docs/es/{name} has {len(translated)} headings, its English page {len(originals)}"
            continue
        for section, original in zip(translated, originals, strict=True):
            stamp = _STAMP.search(section)
            if stamp is None or stamp.group(1) != stamp_of(original):
                yield f"docs/es/{name}: {section.splitlines()[0].lstrip('# ')!r} is older than its English section"


def stamp(page: Path) -> None:
    """Note below each heading which English section it was translated from."""
    originals = sections((ENGLISH / page.resolve().relative_to(SPANISH)).read_text(encoding="utf-8"))
    translated = sections(_STAMP.sub("", page.read_text(encoding="utf-8")))
    stamped = (
        f"{heading}\n<!-- en: {stamp_of(original)} -->{separator}{rest}"
        for (heading, separator, rest), original in zip(
            (section.partition("\n") for section in translated), originals, strict=True
        )
    )
    page.write_text("".join(stamped), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stamp", type=Path, nargs="+", default=[], metavar="PAGE", help="pages that are up to date")
    options = parser.parse_args()
    for page in options.stamp:
        stamp(page)
    found = list(problems())
    print("\n".join(found) or "every translated section is up to date")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
