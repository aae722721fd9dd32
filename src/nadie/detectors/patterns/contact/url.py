"""Web addresses.

The guidelines give an address with its protocol (`https://...`, `ftp://...`) to DIREC_PROT_INTERNET and one without
(`www...`) to URL_WEB.
"""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label

# A path does not end in the punctuation of the sentence it stands in.
_PATH = r"(?:/(?:[a-z0-9._~%!$&'()*+,;=:@/?#\[\]-]{0,300}[a-z0-9_~%=/#-])?)?"
_HOST = r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}"
_CUE = r"url|web|pagina(?: web)?|sitio(?: web)?|enlace|portal|http"

PATTERNS = (
    Shape(
        "protocol",
        Label.DIREC_PROT_INTERNET,
        (
            r"(?i)\b((?:https?|s?ftp|ftps|smtp|imap|tcp|udp|ssh|sip|ldap|dicom|"
            rf"wss?)://{_HOST}(?::\d{{1,5}})?{_PATH})"
        ),
        score=0.98,
    ),
    Shape("web", Label.URL_WEB, rf"(?i)\b(www\d?\.{_HOST}(?::\d{{1,5}})?{_PATH})", score=0.98),
    Shape(
        "domain",
        Label.URL_WEB,
        (
            r"\b([a-z0-9][a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,40}){0,3}\.(?:com|org|net|edu|info|gob|gov|"
            rf"cat|eus|gal)(?:\.(?:es|mx|co|cl|ar|pe|ec|uy|ve|br))?{_PATH})"
        ),
        score=0.85,
        cue=_CUE,
    ),
    # `.es` may as well be the end of one sentence and the beginning of the next.
    Shape(
        "domain_short",
        Label.URL_WEB,
        r"\b([a-z0-9][a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,40}){0,3}\.(?:es|mx|cl|ar|pe|uy))\b",
        score=0.4,
        cue=_CUE,
    ),
)
