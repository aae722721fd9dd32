"""Write the fingerprints of the code and lists that features depend on, and stamp the shipped models with them.

    python scripts/stamp_fingerprints.py

Run this only after `benchmarks/same_spans.py` has shown that the models' spans are unchanged, or after a new training.
"""

from __future__ import annotations

import json
from pathlib import Path

from nadie.fingerprint import compute
from nadie.storage import add_files, shipped_models

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "nadie"


def main() -> None:
    now = compute()
    (PACKAGE / "fingerprint.json").write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    for name, path in shipped_models().items():
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
        old = config.get("features_fingerprint", {})
        config["features_fingerprint"] = {part: now[part] for part in old}
        if config["features_fingerprint"] != old:
            content = json.dumps(config, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
            add_files(path, {"config.json": content.encode()})
            print("stamped", name)


if __name__ == "__main__":
    main()
