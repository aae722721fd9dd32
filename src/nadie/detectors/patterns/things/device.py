"""Serial numbers of devices: pacemakers, prostheses, pumps, telephones."""

from __future__ import annotations

from stdnum import imei

from nadie.detectors.patterns.field import Field
from nadie.labels import Label

_ID = Label.IDENTIF_DISPOSITIVOS_NRSERIE
_SERIAL = r"[a-z]{0,5}[-/]?\d{2,16}[a-z0-9]{0,12}(?:[-/.][a-z0-9]{1,12}){0,4}"
_THING = (
    r"(?:marcapasos|desfibrilador|dai|protesis|implante|dispositivo|bomba|holter|monitor|glucometro|audifono|electrodo|"
    r"neuroestimulador|stent|valvula|generador|lente|sensor|cpap|respirador|ventilador|concentrador|reservorio|bolsa)"
)

PATTERNS = (
    Field(
        "device",
        _ID,
        (
            r"(?:n(?:º|o|ro|um|umero)?\.? ?(?:de )?)serie|num\. ?serie|serie n|serial(?: number| no)?|n/s|"
            r"nro\.? serie|ns:|s/n[:=]| sn:|serie:"
        ),
        _SERIAL,
        digits=4,
    ),
    Field("imei", _ID, r"imei", r"\d{2} ?-?\d{6} ?-?\d{6} ?-?\d|\d{14,16}", digits=14, check=imei.is_valid),
    # The unique device identification of a label: (01) product, (17) expiry, (10) lot, (21) serial number.
    Field(
        "udi",
        _ID,
        r"udi(?:-di)?|\(01\)",
        r"\(?\d{2}\)?\d{12,14}(?:\(\d{2}\)[a-z0-9-]{3,20}){0,4}|\d{14}(?:\(\d{2}\)[a-z0-9-]{3,20}){0,4}",
        digits=12,
    ),
    # After `Serie` or `SN` alone, the code has to be longer.
    Field(
        "serial",
        _ID,
        r"serie|(?-i:SN)|s/n",
        r"(?:[a-z]{1,5}[-/]?)?\d{3,16}[a-z0-9]{0,12}(?:[-/.][a-z0-9]{1,12}){0,4}",
        score=0.8,
        digits=4,
    ),
    Field(
        "implant",
        _ID,
        rf"{_THING}(?: [a-z0-9-]{{2,16}}){{0,4}}[ ,(]{{1,3}}(?:modelo [a-z0-9 -]{{2,20}}[ ,]{{1,2}})?"
        r"(?:ref(?:erencia)?\.?|cod(?:igo)?\.?|id|n\.?(?:º|o|um)\.?|serie)",
        r"[a-z]{0,5}[-/]?\d{2,16}[a-z0-9]{0,10}(?:[-/][a-z0-9]{1,10}){0,3}",
        score=0.85,
        digits=4,
    ),
    # Right after the device, a serial number has to have letters and digits.
    Field(
        "implant_code",
        _ID,
        rf"{_THING}(?: (?:derech[oa]|izquierd[oa]|auricular|ventricular|bicameral)){{0,2}}",
        r"(?-i:[A-Z]{1,4}\d{4,12}[A-Z0-9]{0,6}|[A-Z]\d{2}[A-Z]{2}\d{4}|\d{4}-\d{4}-[A-Z]{1,3})",
        score=0.75,
        digits=4,
    ),
)
