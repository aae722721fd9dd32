"""Telephone numbers of Spain and Latin America, and of pagers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import SEPARATOR, hit
from nadie.detectors.patterns.contact.dialling import dialled
from nadie.detectors.patterns.contact.fax import FAX
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.scanning import compiled
from nadie.document import Span
from nadie.labels import Label

_WORDS = (
    r"tel(?:ef(?:ono)?s?|f|s)?|tlfs?|tlfnos?|tlfn|tfnos?|tfs?|tno|tphono|phone|movil(?:es)?|mov|"
    r"mobile|cel(?:ular(?:es)?|s)?|whatsapp|wsp|wa|"
    r"fijo|fonos?|centralita|conmutador|llam(?:ar|e|ada|aron|o)(?: al?)?|telefonico|telefon|ph|telefax"
)
_OWNER = (
    r"(?:[ .:(]{1,2}(?:de|del|la|el|los|su|sus|al|en|y|o|contacto|casa|domicilio|trabajo|familiar|madre|"
    r"padre|esposa|marido|hij[oa]|herman[oa]|ti[oa]|abuel[oa]|prim[oa]|cunad[oa]|niet[oa]|pareja|[12]|"
    r"movil|fijo|celular|particular|es|numero|paciente|urgencias?|"
    r"servicio)\b){0,5}"
)
_CUE = rf"(?i)\b(?:{_WORDS}){_OWNER}\.?\)?{SEPARATOR}\z"
_CONTACT = (
    r"(?i)\b(?:contacto|avisar a|contactar(?: con| al)?|localizable en(?: el)?|llamada (?:desde el|a su)|"
    rf"desde el telefono){_OWNER}{SEPARATOR}\z"
)
_PAGER = rf"(?i)\b(?:busca(?:personas)?|bip(?:er)?|beeper|corporativo|interno|extension|ext){_OWNER}\.?{SEPARATOR}\z"
# After one number, a second one needs no label of its own.
_AGAIN = r"(?i)\A(?: ?[/,;y-] ?| o | y | / ){1,2}(?:\(?(?:movil|fijo|casa|cel|trabajo)\)?[: ]{1,2})?\z"


@dataclass(frozen=True)
class Phone:
    """Numbers to dial that no fax word claims."""

    name: str = "phone"

    def find(self, note: PlainText) -> Iterator[Span]:
        last = -1
        for number in dialled(note):
            context = note.raw[max(0, number.start - 64) : number.start]
            if compiled(FAX).search(context):
                continue
            chained = last >= 0 and number.start - last < 24 and compiled(_AGAIN).search(note.raw[last : number.start])
            score = self._score(context, number.digits, bool(chained), number.worth)
            if score > 0:
                last = number.end
                yield hit(self.name, Label.NUMERO_TELEFONO, (number.start, number.end), score)

    def _score(self, context: bytes, digits: int, chained: bool, worth: float) -> float:
        if digits >= 6 and (chained or compiled(_CUE).search(context)):
            return 0.97
        if digits >= 6 and compiled(_CONTACT).search(context):
            return max(0.9, worth)
        if digits <= 7 and compiled(_PAGER).search(context):
            return 0.85
        return worth


PATTERNS = (Phone(),)
