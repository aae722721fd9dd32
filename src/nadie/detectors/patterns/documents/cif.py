"""CIF: the tax number of a Spanish company or institution. It names no patient, but whom he works for."""

from __future__ import annotations

from stdnum.es import cif

from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "cif",
        Label.OTRO_NUMERO_IDENTIF,
        r"(?i)\b([abcdefghjnpqrsuvw][ .-]?\d{2}\.?\d{3}\.?\d{2}[ .-]?[0-9a-j])\b",
        cue=r"c\.? ?i\.? ?f|n\.? ?i\.? ?f|nif/cif|cif/nif",
        cued=0.95,
        checksum=Checksum(cif.is_valid, 0.85, 0.25),
    ),
)
