"""Names are parsed only if a person may be named outside all spans: the quick test must never miss one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nadie.resolve.completing import may_be_named_again
from nadie.resolve.names_again import names_again
from nadie.resolve.outside import Outside

from .marked import marked

NAMES = (
    *("Ana Rubio Cano", "Rubio Cano, Ana", "José Luis de la Fuente", "M.ª Ángeles Gil", "Mª Dolores Pz. Soto"),
    *(
        "Fco. Glez. Prat",
        "Luis D'Angelo",
        "Car1os MARC0NE",
        "Sra. de Gil",
        "Li De",
        "ANARUBIO",
        "ARC",
        "A. R. C.",
        "A.R.C",
        "J.L.",
    ),
    *("Dra. Iria San Juan", "PEREZ^ANA", "PEREZ_ANA_TC.dcm", "Pe\u0301rez Nun\u0303ez", "Van Der Berg, Eva", "Uc"),
)
AGAIN = (
    *("ANARUBIO.dcm", "usuario: arubio", "A.R.C.", "iniciales ARC", "LFG", "A. Rubio", "Sra. Rubio", "Anita", "Paco"),
    *("Pepe", "Lola", "glez", "fcogonzalez", "Dr. Prat", "marconec", "Angelo", "DE LA FUENTE", "jlfuente", "Eva B."),
    *("ana_perez", "PEREZ", "nun\u0303ez", "Sr. Uc", "sanjuan", "Lide", "TAC", "fiebre de 38", "agonía", "vanderberg"),
)


@pytest.mark.parametrize(
    ("name", "again"),
    [
        *(("Ana Rubio Cano", form) for form in ("ANARUBIO.dcm", "usuario arubio", "A.R.C.", "A. Rubio", "Sra. Rubio")),
        *(("Francisco Glez. Prat", form) for form in ("Sr. Paco", "usuario fgonzalez", "FGP", "Francisco P.")),
        ("José^Uc", "Sr. Uc"),
        ("Car1os Gil", "usuario carlosg"),
    ],
)
def test_other_forms_of_a_name_are_found(name: str, again: str) -> None:
    note = marked(f"Paciente {{{name}|P}}. Estudio: {again} y nada más")
    assert list(names_again(Outside(note)))
    assert may_be_named_again(Outside(note))


def test_a_name_that_does_not_recur_is_not_parsed() -> None:
    assert not may_be_named_again(
        Outside(marked("Paciente {Ana Rubio de la Fuente|P}, con su {hija|FAM}. TAC sin hallazgos."))
    )
    assert not may_be_named_again(Outside(marked("Sin nombres. A.R.C.")))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), st.lists(st.sampled_from(AGAIN), max_size=4), st.data()
)
def test_no_name_is_missed(names: list[str], again: list[str], data: st.DataObject) -> None:
    label = data.draw(st.sampled_from(("P", "S", "FAM")))
    people = " y ".join(f"{{{name}|{label if n else 'P'}}}" for n, name in enumerate(names))
    note = marked(f"Visto {people}. {data.draw(st.sampled_from(('', ' ', ', ', '_'))).join(again)}.")
    text = Outside(note)
    assert may_be_named_again(text) or not list(names_again(text))
