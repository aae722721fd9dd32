"""The thresholds by which columns of tables are judged, in one table. Each has cases on both sides in the tests."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """Shares are of the examined cells that have a value."""

    sample_rows: int = 200
    """Rows that are examined."""
    form_share: float = 0.5
    """A column has a label if more than this share has its form: e-mail addresses, telephones, dates, towns."""
    name_share: float = 0.3
    """A column has names of persons if more than this share of the cells are names."""
    name_words: float = 0.5
    """A cell is a name if at least this share of its words are names."""
    language_share: float = 0.5
    """A column is free text if at least this share of its cells is language."""
    language_words: float = 0.5
    """A cell is language if at least this share of its words is in the dictionary and not rather a name."""
    word_letters: int = 4
    """Only words of at least this length show that a cell is language: shorter ones may be initials."""
    prose_share: float = 0.2
    """A column is free text if at least this share of its cells is long, in any language."""
    prose_words: int = 9
    """A cell with at least this number of words is long: names and addresses have fewer."""
    proven_share: float = 0.95
    """A column is harmless if at least this share of its cells is proven to be; every other cell is replaced."""
    decimal_share: float = 0.5
    """Numbers are measurements if at least this share of them has decimals."""
    integer_digits: int = 4
    """The most digits of a measurement before the decimal sign: coordinates and serial numbers of dates have more."""
    fraction_digits: int = 3
    """The most digits after it: coordinates and times of day as fractions have more."""
    count_digits: int = 6
    """The most digits of a count, in a column whose name says that it is one."""
    digit_repeats: int = 5
    """Single digits are a closed set if each value occurs at least this number of times."""
    digit_rows: int = 50
    """Single digits are a closed set only in a table with at least this number of them."""
    number_digits: int = 5
    """A number of at least this many digits may be an identifier: in a kept column, or in a cell outside columns."""
    words_read: int = 40
    """Words of a cell that are looked up."""
    heading_words: int = 4
    """The most words of the name of a column that is not searched if all are ordinary: a longer one may be data."""


LIMITS = Limits()
