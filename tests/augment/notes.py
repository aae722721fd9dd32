"""An invented note in MEDDOCAN's form, for the tests of this folder."""

from __future__ import annotations

from nadie.augment.vocabulary import table
from nadie.document import Document, Span

NOTE = """Datos del paciente.
Nombre: ⟦PAC|Brígida⟧.
Apellidos: ⟦PAC|Montalbán Úbeda⟧.
NHC: ⟦IDS|5512390⟧.
NASS: ⟦ASE|28 55120987 61⟧.
Domicilio: ⟦CAL|Calle de la Cañada, 4, 2º B⟧.
Localidad/ Provincia: ⟦TER|Villarrobledo⟧, ⟦TER|Albacete⟧.
CP: ⟦TER|02600⟧.
Datos asistenciales.
Fecha de nacimiento: ⟦FEC|03/04/1951⟧.
País: ⟦PAI|España⟧.
Edad: ⟦EDA|67 años⟧ Sexo: ⟦SEX|M⟧.
Fecha de Ingreso: ⟦FEC|11/12/2018⟧.
Servicio: Urología.
Médico: ⟦MED|Ígor Peñalver Ruiz⟧ NºCol: ⟦TIT|02 02 55123⟧.
Informe clínico del paciente: ⟦SEX|Mujer⟧ de ⟦EDA|67 años⟧ que consulta por hematuria de tres semanas.
Vive con su ⟦FAM|hija⟧ y apenas sale de casa desde el invierno por miedo a caerse.
La exploración física era anodina, con puñopercusión negativa y abdomen blando. En ⟦FEC|marzo de 2011⟧ fue operada.
Se practicó una ecografía que mostró una masa renal de 4 cm, sin signo de Murphy ni otras alteraciones llamativas.
Remitido por: Dr. ⟦MED|Ígor Peñalver Ruiz⟧. ⟦HOS|Hospital de la Cañada⟧. ⟦TER|02600⟧ ⟦TER|Villarrobledo⟧ \
Tel.: ⟦TEL|967 55 12 09⟧ E-mail: ⟦COR|ipenalver@ejemplo.es⟧
"""


def invented(name: str = "invented") -> Document:
    """The note above, its marks turned into spans."""
    pieces: list[str] = []
    spans: list[Span] = []
    at = 0
    for i, part in enumerate(NOTE.replace("⟧", "⟦").split("⟦")):
        if i % 2:
            code, _, text = part.partition("|")
            spans.append(Span(at, at + len(text), table("label_codes.tsv")[code]))
        else:
            text = part
        pieces.append(text)
        at += len(text)
    return Document(name, "".join(pieces), tuple(spans))


def texts(document: Document) -> list[tuple[str, str]]:
    """Label and text of every span."""
    return [(span.label, document.text_of(span)) for span in document.spans]
