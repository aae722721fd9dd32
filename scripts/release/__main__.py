"""Build and check what a release consists of.

    python -m release build     sdist and wheel, twice, to see that both builds are the same; SBOM; checksums
    python -m release site      the documentation as a site in one archive
    python -m release lock      a requirements file with hashes for each documented installation
    python -m release try       install the wheel with its requirements file in clean environments, and use it
    python -m release bundle    archives for machines without internet: wheels, requirements, docs, checksums

`make release` does all but the last, `make bundle` everything. Everything is in --out. Nothing is published.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from release import bundling, locking, packages, smoke
from release.site import write_site
from release.version import version_in_agreement


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("build", "site", "lock", "try", "bundle"))
    parser.add_argument("--out", type=Path, default=Path("dist"), help="the folder for everything that is made")
    parser.add_argument("--python", action="append", default=[], help="an interpreter to try; may be repeated")
    options = parser.parse_args()
    out = options.out.resolve()
    version = version_in_agreement()
    if options.step == "build":
        packages.build(out, version)
    elif options.step == "site":
        write_site(out, version)
    elif options.step == "lock":
        locking.lock(out)
    elif options.step == "try":
        smoke.try_wheel(out, options.python or smoke.interpreters())
    else:
        bundling.bundle(out, version, options.python or smoke.interpreters())
    return 0


if __name__ == "__main__":
    sys.exit(main())
