"""Streets, postcodes, towns, countries, hospitals and other institutions."""

from __future__ import annotations

import pytest

from .tables import found, label_at

POSITIVES = [
    ("Domicilio: ⟦Avenida Melchor Fernández 59, 4º A⟧", "CALLE"),
    ("vive en ⟦C/ Mayor 5, 2º B⟧, 28013 Madrid", "CALLE"),
    ("⟦Avda. del Mar, s/n⟧", "CALLE"),
    ("⟦Ctra. de Toledo km 12,5⟧ 28905", "CALLE"),
    ("⟦Cra. 15 # 93-47 apto 502⟧", "CALLE"),
    ("⟦Cll 45 #23-12⟧", "CALLE"),
    ("⟦Av. Rivadavia 4567 5° B⟧, CABA", "CALLE"),
    ("⟦Jr. Puno 345⟧, Lima", "CALLE"),
    ("⟦3ª avenida 12-45 zona 1⟧", "CALLE"),
    ("DOMICILIO: ⟦CALLE MAYOR 5⟧", "CALLE"),
    ("vive en ⟦calle mayor 15⟧ de getafe", "CALLE"),
    ("Domicilio: ⟦Los Alisos, 12⟧", "CALLE"),
    ("la ⟦calle Santa María⟧", "CALLE"),
    ("⟦Plaza de la Estación 14, 3A⟧.", "CALLE"),
    ("CP: ⟦28016⟧", "TERRITORIO"),
    ("CP: ⟦E-28015⟧", "TERRITORIO"),
    ("C/ Mayor 5, ⟦28013⟧ Madrid", "TERRITORIO"),
    ("C/ Mayor 5, 28013 ⟦Madrid⟧", "TERRITORIO"),
    ("Localidad/ Provincia: ⟦Móstoles⟧", "TERRITORIO"),
    ("natural de ⟦Villanueva del Fresno⟧", "TERRITORIO"),
    ("reside en ⟦Arequipa⟧, Perú", "TERRITORIO"),
    ("viajó desde ⟦Guayaquil⟧", "TERRITORIO"),
    ("País: ⟦España⟧", "PAIS"),
    ("originaria de ⟦República Dominicana⟧", "PAIS"),
    ("⟦Hospital Universitario La Paz⟧", "HOSPITAL"),
    ("⟦Hospital Universitario 12 de Octubre⟧", "HOSPITAL"),
    ("⟦Hospital Nuestra Señora de Candelaria⟧, Santa Cruz", "HOSPITAL"),
    ("⟦Complejo Hospitalario de Navarra⟧", "HOSPITAL"),
    ("INGRESA EN EL ⟦HOSPITAL DE LA PRINCESA⟧ POR", "HOSPITAL"),
    ("⟦Clínica del Rosario⟧", "HOSPITAL"),
    ("⟦H. Clínico San Carlos⟧", "HOSPITAL"),
    ("⟦Centro de Salud Las Calesas⟧", "CENTRO_SALUD"),
    ("⟦CESFAM Los Álamos⟧", "CENTRO_SALUD"),
    ("⟦UMF No. 28⟧", "CENTRO_SALUD"),
    ("⟦Universidad de Granada⟧", "INSTITUCION"),
    ("vive en la ⟦Residencia Los Tilos⟧", "INSTITUCION"),
    ("afiliada a ⟦Osakidetza⟧", "INSTITUCION"),
    ("⟦Obra Social Almafuerte⟧", "INSTITUCION"),
    ("cotiza en ⟦Isapre Los Robles⟧", "INSTITUCION"),
    ("alumna del ⟦Liceo Andrés Bello⟧", "INSTITUCION"),
    ("duerme en el ⟦Albergue San Telmo⟧", "INSTITUCION"),
    ("autorizado por ⟦Comfenalco⟧", "INSTITUCION"),
]


@pytest.mark.parametrize(("marked", "label"), POSITIVES)
def test_places(marked: str, label: str) -> None:
    assert label_at(marked) == label


def test_the_town_that_follows_a_hospital_is_no_part_of_it() -> None:
    assert ("Hospital San Roque", "HOSPITAL") in found("Hospital San Roque Córdoba, Argentina")


@pytest.mark.parametrize(
    "text",
    [
        "músculo psoas de unos 12 centímetros",
        "AV de 0,3 en OD y AV OI 0,5",
        "paracetamol c/ 8 horas",
        "hospital de día y hospitalización a domicilio",
        "el hospital comarcal de referencia",
        "historia clínica y exploración clínica",
        "H. pylori positivo y H. influenzae",
        "vía oral 3 veces al día",
        "pasear 20 minutos",
        "plaza 4 de la unidad",
        "bálsamo del Perú",
        "dieta rica en fibra",
        "Colon y recto sin lesiones",
        "ASIA C",
        "hogar de 4 personas y escuela de espalda",
        "seguros de que mejora",
        "mutual entre ambos",
    ],
)
def test_medicine_is_no_place(text: str) -> None:
    places = {"CALLE", "TERRITORIO", "PAIS", "HOSPITAL", "CENTRO_SALUD", "INSTITUCION"}
    assert not [pair for pair in found(text) if pair[1] in places]
