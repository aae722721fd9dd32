"""Mail addresses, web addresses, handles of social networks, IP and MAC addresses."""

from __future__ import annotations

from ipaddress import ip_address

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_DEVICE = Label.IDENTIF_DISPOSITIVOS_NRSERIE
_EMAIL_LOCAL = r"[a-z0-9][a-z0-9._%+'-]{0,63}"
_EMAIL_DOMAIN = r"[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){0,5}\.[a-z]{2,12}"
# A path does not end in punctuation.
_URL_PATH = r"(?:/(?:[a-z0-9._~%!$&'()*+,;=:@/?#\[\]-]{0,300}[a-z0-9_~%=/#-])?)?"
_URL_HOST = r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}"
_URL_CUE = r"url|web|pagina(?: web)?|sitio(?: web)?|enlace|portal|http"
_IP_CUE = r"i\.?p(?:v[46])?|direccion ip|servidor|host|desde la ip|equipo"
_EMAIL_SPACED = rf"(?i)({_EMAIL_LOCAL} ?(?:@|\[at\]|\(at\)|\[arroba\]|\(arroba\)| arroba ) ?{_EMAIL_DOMAIN})"
_EMAIL_CUT = rf"(?i)({_EMAIL_LOCAL} ?@ ?[a-z0-9-]{{2,60}}(?:[.,;] ?[a-z]{{2,12}})?)"
_EMAIL_CUT_CUE = r"e-?mail|correo(?: electronico)?|mail|c\.e\.?"
_PROTOCOL = (
    r"(?i)\b((?:https?|s?ftp|ftps|smtp|imap|tcp|udp|ssh|sip|ldap|dicom|"
    rf"wss?)://{_URL_HOST}(?::\d{{1,5}})?{_URL_PATH})"
)
_DOMAIN = (
    r"\b([a-z0-9][a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,40}){0,3}\.(?:com|org|net|edu|info|gob|gov|"
    rf"cat|eus|gal)(?:\.(?:es|mx|co|cl|ar|pe|ec|uy|ve|br))?{_URL_PATH})"
)
_DOMAIN_SHORT = r"\b([a-z0-9][a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,40}){0,3}\.(?:es|mx|cl|ar|pe|uy))\b"
_HANDLE = r"(?:\A|[\s(:,;/|])(@[A-Za-z_][A-Za-z0-9_.]{1,28}[A-Za-z0-9_])"
_IPV6 = r"(?i)([0-9a-f]{1,4}(?:::?[0-9a-f]{1,4}){2,7}(?:::)?|[0-9a-f]{1,4}::)"


def _is_ip(value: str) -> bool:
    try:
        ip_address(value)
    except ValueError:
        return False
    return True


def _is_ipv4(value: str) -> bool:
    """Whether this is an address, and not a heading such as 1.2.3.4."""
    return _is_ip(value) and len(value) > 7


PATTERNS = (
    Shape("email", Label.CORREO_ELECTRONICO, rf"(?i)({_EMAIL_LOCAL}@{_EMAIL_DOMAIN})", score=0.99),
    Shape("email_spaced", Label.CORREO_ELECTRONICO, _EMAIL_SPACED, score=0.95),
    # A truncated or mistyped domain, after a label.
    Shape("email_cut", Label.CORREO_ELECTRONICO, _EMAIL_CUT, score=0.7, cue=_EMAIL_CUT_CUE),
    # With a protocol an address is DIREC_PROT_INTERNET, without one it is URL_WEB.
    Shape("protocol", Label.DIREC_PROT_INTERNET, _PROTOCOL, score=0.98),
    Shape("web", Label.URL_WEB, rf"(?i)\b(www\d?\.{_URL_HOST}(?::\d{{1,5}})?{_URL_PATH})", score=0.98),
    Shape("domain", Label.URL_WEB, _DOMAIN, score=0.85, cue=_URL_CUE),
    # `.es` may also be the end of one sentence and the start of the next.
    Shape("domain_short", Label.URL_WEB, _DOMAIN_SHORT, score=0.4, cue=_URL_CUE),
    # The guidelines have no label for handles.
    Shape("handle", Label.OTROS_SUJETO_ASISTENCIA, _HANDLE, score=0.88),
    Field(
        "handle_cued",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"(?:instagram|twitter|facebook|tik ?tok|telegram|linkedin|skype|snapchat|"
        r"perfil de [a-z]{2,12}|usuario de [a-z]{2,12}|cuenta de (?:instagram|twitter|facebook|tiktok|"
        r"x))"
        r"(?: ?[:=]| @| como| usuario)",
        r"@?[a-z0-9_.-]{2,29}[a-z0-9_]",
        score=0.85,
        digits=0,
    ),
    # The guidelines count IP and MAC addresses among the identifiers of devices.
    Shape("ipv4", _DEVICE, r"\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})\b", cue=_IP_CUE, checksum=Checksum(_is_ipv4, 0.93)),
    Shape("ipv6", _DEVICE, _IPV6, cue=_IP_CUE, cued=0.0, checksum=Checksum(_is_ip, 0.97)),
    Shape("mac", _DEVICE, r"(?i)\b((?:[0-9a-f]{2}:){5}[0-9a-f]{2}|(?:[0-9a-f]{2}-){5}[0-9a-f]{2})\b", score=0.97),
    Shape("mac_dotted", _DEVICE, r"(?i)\b([0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})\b", score=0.8),
)
