"""The 29 labels, their parents and HIPAA's identifiers."""

from __future__ import annotations

from collections import Counter

from nadie.labels import LABELS, Hipaa, Label, Parent


def test_there_are_29_types_in_eight_classes() -> None:
    assert len(LABELS) == 29
    assert Counter(label.parent for label in Label) == {
        Parent.NAME: 2,
        Parent.PROFESSION: 1,
        Parent.LOCATION: 6,
        Parent.AGE: 1,
        Parent.DATE: 1,
        Parent.CONTACT: 4,
        Parent.ID: 10,
        Parent.OTHER: 4,
    }


def test_hipaa_has_18_identifiers_and_we_reach_all_but_accounts_and_photographs() -> None:
    assert len(Hipaa) == 18
    reached = {label.hipaa for label in Label} - {None}
    assert set(Hipaa) - reached == {Hipaa.ACCOUNT_NUMBERS, Hipaa.FULL_FACE_PHOTOGRAPHS}


def test_what_hipaa_lets_stay() -> None:
    free = {label for label in Label if label.hipaa is None}
    assert free == {Label.PROFESION, Label.SEXO_SUJETO_ASISTENCIA, Label.PAIS}


def test_a_label_is_its_name() -> None:
    assert Label.PAIS == "PAIS"
    assert Label("CALLE").parent is Parent.LOCATION
