"""Medical terms stay although somebody in the note bears the name, and that person is still found elsewhere."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.resolve.completing import complete
from nadie.resolve.eponyms import protect

# A name, and a sentence in which it is a term.
TERMS = (
    "Ringer|Se pauta Ringer lactato 500 ml.",
    "Ringer|Sueroterapia con lactato de Ringer.",
    "Ringer|1000 cc de Ringer IV",
    "Coombs|Coombs directo positivo",
    "Coombs|test de Coombs indirecto negativo",
    "Coombs|Coombs D (+)",
    "Fischer|Registro: índice de Fischer 8, Leopold cefálica",
    "Pittsburgh|Escala de Pittsburgh 13",
    "Romberg|Romberg negativo",
    "Romberg|signo de Romberg",
    "Romberg|Marcha normal, Romberg (-)",
    "Murphy|Murphy positivo",
    "Murphy|Abdomen: Murphy (+), Blumberg (-)",
    "Glasgow|Glasgow 15",
    "Glasgow|GCS/Glasgow: 14/15",
    "Apgar|Apgar 9/10",
    "Foley|sonda Foley 16 Fr",
    "Foley|Se retira Foley",
    "Gram|tinción de Gram",
    "Gram|cocos Gram positivos",
    "Babinski|Babinski bilateral",
    "Lasègue|Lasègue positivo a 30º",
    "Blumberg|Blumberg dudoso",
    "Kernig|Kernig y Brudzinski negativos",
    "Parkinson|enfermedad de Parkinson",
    "Parkinson|Parkinson avanzado",
    "Crohn|Crohn ileal",
    "Hodgkin|linfoma no Hodgkin",
    "Down|síndrome de Down",
    "Wilson|enfermedad de Wilson",
    "Addison|crisis de Addison",
    "Cushing|fenotipo Cushing",
    "Barthel|Barthel 60",
    "Norton|Norton 14",
    "Karnofsky|Karnofsky 80 %",
    "Redon|drenaje Redon aspirativo",
    "Kehr|tubo de Kehr",
    "Penrose|Penrose en fondo",
    "Kirschner|agujas de Kirschner",
    "Holter|Holter de 24 h",
    "Doppler|eco-Doppler venoso",
    "Doppler|Doppler color normal",
    "Billroth|gastrectomía Billroth II",
    "Hartmann|intervención de Hartmann",
    "Hartmann|solución Hartmann",
    "Whipple|Whipple hace 2 años",
    "Nissen|funduplicatura de Nissen",
    "Goodpasture|síndrome de Goodpasture",
    "Tinel|Tinel (+) y Phalen (+)",
    "Trendelenburg|posición de Trendelenburg",
    "Fowler|posición Fowler 30º",
    "Mantoux|Mantoux 12 mm",
    "Ishihara|test de Ishihara",
    "Snellen|Snellen 20/40",
    "Goldmann|tonometría Goldmann 15",
    "Schirmer|Schirmer 4 mm",
    "Epley|maniobra de Epley",
    "Dix|Dix-Hallpike positivo",
    "Bishop|Bishop 6",
    "Leopold|maniobras de Leopold",
    "Braden|Escala Braden: 18",
    "Ramsay|Ramsay 3",
    "Child|Child-Pugh B",
    "Killip|Killip II",
    "Graves|hipertiroidismo por Graves",
    "Graves|enfermedad de Graves-Basedow",
    "Basedow|Graves-Basedow",
    "Gleason|Gleason 7 (3+4)",
    "Breslow|Breslow 1,2 mm",
    "Clark|Clark III",
    "Bosniak|Bosniak IIF",
    "Fuhrman|Fuhrman 2",
    "Ann|Ann Arbor III",
    "Lugol|Lugol 3 gotas",
    "Dakin|solución de Dakin",
    "Burow|fomentos con Burow",
    "Betadine|curas con Betadine",
    "Guedel|cánula de Guedel",
    "Magill|pinza de Magill",
    "Kocher|incisión de Kocher",
    "Pfannenstiel|Pfannenstiel previa",
    "McBurney|McBurney doloroso",
    "Giordano|Giordano negativo",
    "Schober|Schober 10-15",
    "Allen|test de Allen positivo",
    "Allen|Allen normal",
    "Homans|Homans negativo",
    "Finkelstein|Finkelstein +",
    "Hoffmann|Hoffmann derecho",
    "Colles|fractura de Colles",
    "Paget|Paget óseo",
    "Barrett|esófago de Barrett",
    "Hashimoto|tiroiditis de Hashimoto",
    "Sjögren|Sjögren secundario",
    "Raynaud|Raynaud en manos",
    "Behçet|Behçet en tratamiento",
    "Alzheimer|Alzheimer GDS 5",
    "Lewy|cuerpos de Lewy",
    "Mallory|Mallory-Weiss",
    "Wernicke|encefalopatía de Wernicke",
    "Bell|parálisis de Bell",
    "Ménière|vértigo por Ménière",
    "Chagas|Chagas crónico",
    "Kaposi|sarcoma de Kaposi",
    "Wilms|tumor de Wilms",
    "Ewing|Ewing de pelvis",
    "Pott|mal de Pott",
    "Marfan|hábito de Marfan",
    "Turner|Turner 45,X0",
    "Fallot|Fallot corregido",
    "Brugada|patrón de Brugada",
    "Fontan|Fontan fenestrado",
    "Glenn|Glenn bidireccional",
    "Swan|Swan-Ganz",
    "Hickman|Hickman tunelizado",
    "Tenckhoff|catéter Tenckhoff",
    "Abrikossoff|tumor de Abrikossoff",
    "Ballard|Ballard 38 sem",
    "Capurro|Capurro 39 semanas",
    "Silverman|Silverman 2",
    "Downes|Downes 3",
    "Moro|Moro presente y simétrico",
    "Moro|reflejo de Moro",
    "Ortolani|Ortolani y Barlow negativos",
    "Barlow|Ortolani y Barlow negativos",
    "Tanner|Tanner III",
    "Denver|Denver normal",
    "Robin|secuencia de Pierre Robin",
    "Kramer|Kramer zona 2",
    "Friedreich|ataxia de Friedreich",
    "Ross|cirugía de Ross",
    "Quincke|edema de Quincke",
    "Sims|posición de Sims",
    "Thomas|Thomas (+)",
    "Lachman|Lachman +++",
    "McMurray|McMurray positivo",
    "Jobe|Jobe doloroso",
    "Neer|Neer y Hawkins positivos",
    "Hawkins|Neer y Hawkins positivos",
    "Schatzki|anillo de Schatzki",
    "Meckel|divertículo de Meckel",
    "Yergason|Yergason -",
    "Bankart|lesión de Bankart",
    "Addison|y además tiene Addison",
    "Sheehan|hay que vigilar Sheehan por no subida de leche",
    "Bankart|reparación de Bankart",
    "Caroli|para descartar Caroli",
    "Werner|NO TIENE SÍNDROME DE WERNER",
    "Turner|| Expl | NO fenotipo |\n|                | Turner claro",
    "Caroli|IMPRESION||1. Caroli. 2. No colangitis",
    "Caroli|Diagnóstico: Caroli",
    "Wilson|Dx: 1) Colelitiasis. 2) Wilson",
    "White|HTA, DLP, Wolff-Parkinson-White",
    "Kirsten|PD-L1 60 %, Kirsten (KRAS) G12C",
    "Sullivan|O'Sullivan 156; curva normal",
    "Crohn|Enf. de Crohn desde joven (A2L3B1)",
    "Kussmaul|Cetoacidosis. Kussmaul, pH 7.10",
    "Columbia|PHQ-9: 18, Columbia 3",
    "Monteggia|Fx de Colles der. y Monteggia izq",
    "Stewart|Stewart compatible c/ acidosis",
    "Capurro|EG 34 sem por Capurro, PN 2150",
    "Framingham|HbA1c 8,1 %, Framingham alto",
    "Gharbi|Hidatidosis hepática Gharbi III",
    "Leede|Rumpel-Leede (+)",
    "Allen|Amputación falange distal, Allen tipo II",
    "Beck|Toracotomía. Beck tríada presente",
    "Caprini|Profilaxis: Caprini 7, enoxaparina",
    "Alvarado|Dolor en FID. Alvarado 8; leucocitosis",
    "Naranjo|Exantema por amoxicilina, Naranjo 5 (probable)",
    "Lobo|Mini-Examen de Lobo 24/35; MEC-Lobo 25",
    "Aquiles|Rotura del Aquiles derecho; tendón de Aquiles engrosado",
    "Adán|Nuez de Adán prominente",
    "Burch|Tormenta tiroidea, Burch-Wartofsky 50",
    "Keith|Fondo de ojo: Keith-Wagener II",
    "Kleihauer|Kleihauer-Betke negativo",
    "Willis|Piernas inquietas (Willis-Ekbom)",
    "Bernard|Síndrome de Claude-Bernard-Horner",
    "Robertson|Pupilas de Argyll Robertson",
    "Argyll|Pupilas de Argyll Robertson",
    "Hoffa|Edema en la grasa de Hoffa",
    "Haglund|Haglund sintomático",
    "Lichtman|Kienböck Lichtman IIIA",
    "Blumer|Tacto rectal: Blumer +",
    "Hampton|Joroba de Hampton",
    "Liley|Liley zona II",
    "Rutgeerts|Ileítis neoterminal, Rutgeerts i2",
    "Nelaton|Sondaje intermitente con Nelaton 14",
    "Robinson|Drenaje tipo Robinson 100 cc",
    "Shirley|Drenaje Shirley",
    "Ishak|Fibrosis Ishak F3",
    "Lynch|Sutura de B-Lynch",
    "Wood|Luz de Wood negativa",
    "Lewis|Esofagectomía Ivor-Lewis",
    "Heller|Acalasia: Heller-Dor",
)
STAFF, PATIENT = "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"


def _named(name: str, sentence: str, label: str) -> tuple[list[str], list[str]]:
    """What is found in the sentence, and after it, in a note about somebody of that name."""
    who = f"Luis {name} Soto"
    text = f"Paciente: {who}. {sentence}. Fdo. Dra. {name}. Avisar a {name}."
    start = text.index(who)
    document = complete(Document("nota", text, (Span(start, start + len(who), label),)))
    begin = text.index(sentence)
    end = begin + len(sentence)
    within = [document.text_of(span) for span in document.spans if begin <= span.start < end]
    return within, [document.text_of(span) for span in document.spans if span.start >= end]


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("label", [STAFF, PATIENT])
def test_a_term_stays_and_its_bearer_is_found(term: str, label: str) -> None:
    name, sentence = term.split("|", 1)
    within, after = _named(name, sentence, label)
    assert within == []
    assert after == [name, name]


@pytest.mark.parametrize("sentence", ["con ángulo de {} alterado", "signo de {}", "síndrome de {}"])
def test_a_term_that_no_list_has_stays(sentence: str) -> None:
    assert _named("Zabalgoitia", sentence.format("Zabalgoitia"), PATIENT) == ([], ["Zabalgoitia", "Zabalgoitia"])


@pytest.mark.parametrize(
    "sentence",
    ["Comentado con {}", "Valorada por {}", "{} indica ingreso", "Se avisa a la Dra. {}", "{} refiere dolor",
     "Consulta telefónica con {}", "Dr. {} directo al quirófano", "Sr. {}", "{} ha visto la placa",
     "Visto esta mañana por {}", "Cita con {} el lunes", "Turno de {}"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["Coombs", "Romberg", "Ringer", "Parkinson", "Wilson", "Murphy"])
def test_a_person_is_found_though_the_name_is_a_term(sentence: str, name: str) -> None:
    assert _named(name, sentence.format(name), STAFF)[0] == [name]


@pytest.mark.parametrize(
    "sentence",
    ["\nAlvarado 8\n", "| Alvarado 8 |", "Camas: Alvarado 8", "Sr. Alvarado 8", "Alvarado 12 años"],
)
def test_a_usual_surname_in_a_list_or_before_an_age_is_somebody(sentence: str) -> None:
    assert _named("Alvarado", sentence, PATIENT)[0] == ["Alvarado"]


@pytest.mark.parametrize("name", ["Robinson", "Shirley", "Blake", "Baltazar", "David", "Adán", "Aquiles"])
@pytest.mark.parametrize("sentence", ["{} está estable", "Tras la cirugía de {}, en planta", "Hoy {} come mejor"])
def test_a_first_name_that_only_some_terms_have_is_somebody(name: str, sentence: str) -> None:
    assert _named(name, sentence.format(name), PATIENT)[0] == [name]


def test_a_sister_of_that_name_is_somebody() -> None:
    text = "Dra. María José. Acude la hermana María José. Nódulo de la hermana María José."
    document = complete(Document("nota", text, (Span(5, 15, STAFF),)))
    assert [span.start for span in document.spans] == [5, text.index("María José. Nódulo")]


@pytest.mark.parametrize("name", ["Kussmaul", "Wilson", "Beck"])
@pytest.mark.parametrize("sentence", ["Roberto {} lo conoce", "B. {} lo conoce", "{} Ortega lo conoce", "\n{}, R2\n"])
def test_a_name_beside_another_or_alone_in_a_line_is_somebody(name: str, sentence: str) -> None:
    assert _named(name, sentence.format(name), STAFF)[0]


@pytest.mark.parametrize(
    ("word", "label", "is_dropped"),
    [
        ("posmenopáusica", "PROFESION", True),
        ("portadora", "OTROS_SUJETO_ASISTENCIA", True),
        ("zurda", "ID_SUJETO_ASISTENCIA", True),
        ("Anciana", "OTROS_SUJETO_ASISTENCIA", True),
        ("Lactante", "PROFESION", True),
        ("Lactante", "ID_SUJETO_ASISTENCIA", False),  # as MEDDOCAN labels it; the engine keeps it
        ("soldadora", "PROFESION", False),
        ("marroquí", "ID_SUJETO_ASISTENCIA", False),
        ("zurda", "NOMBRE_SUJETO_ASISTENCIA", False),  # a nickname
        ("Virgen", "HOSPITAL", False),
    ],
)
def test_words_of_a_condition_are_dropped(word: str, label: str, is_dropped: bool) -> None:
    document = Document("", f"Paciente {word} de 40 años")
    span = Span(9, 9 + len(word), label)
    assert protect(document, [span]) == (() if is_dropped else (span,))
