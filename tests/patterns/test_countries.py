"""`--country`: the identity numbers of some countries by their shape, those of others only by the model."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import nadie
from nadie.detectors.patterns.catalog import catalog
from nadie.detectors.patterns.countries import COUNTRIES, foreign, names_of
from nadie.detectors.patterns.verified import verified
from nadie.document import Document
from nadie.errors import ConfigError

ECUADOR = "valor 1710034065 en el registro"  # with a valid check digit
HONDURAS = "xx 0801-1985-12345 yy"  # a shape without one


def test_every_name_is_that_of_a_pattern() -> None:
    assert names_of(COUNTRIES) <= {pattern.name for pattern in catalog()}
    assert foreign(()) == frozenset()
    assert "dni" not in foreign(["ES"])
    assert "nass" not in foreign(["MX"])


def test_numbers_of_other_countries_are_left_to_the_model() -> None:
    document = Document("", ECUADOR)
    assert [span.source for span in verified(document)] == ["patterns:cedula_ecuador"]
    assert list(verified(document, ("ES",))) == []
    assert [span.source for span in verified(document, ("EC", "ES"))] == ["patterns:cedula_ecuador"]
    (iban,) = verified(Document("", "ES9121000418450200051332"), ("MX",))
    assert iban.source == "patterns:iban", "an account is known in every country"


def test_numbers_of_the_country_are_found_by_their_shape() -> None:
    class Nothing:
        name = "nothing"

        def detect(self, documents: Sequence[Document]) -> list[tuple[nadie.Span, ...]]:
            return [()] * len(documents)

    def found(*countries: str) -> list[str]:
        return [span.source for span in nadie.Pipeline(Nothing(), countries=countries).annotate(HONDURAS).spans]

    assert found() == found("ES") == []
    assert found("HN") == ["patterns:cedula_honduras"]


def test_the_option_takes_one_code_or_several_in_any_case() -> None:
    assert nadie.load("fast", country="es").countries == ("ES",)
    assert nadie.load("fast", country=["mx", "ES"]).about["detection"]["country"] == "es mx".upper()
    with pytest.raises(ConfigError, match="no patterns of the country 'XX'"):
        nadie.load("fast", country="XX")
    with pytest.raises(ConfigError, match="there is no option 'countrys'"):
        nadie.load("fast", countrys="ES")  # type: ignore[call-arg]
