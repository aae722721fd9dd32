"""Custom names, places and texts, in a policy and on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.own_values import read_own_values
from nadie.anonymize.policy import parse_policy, read_policy
from nadie.errors import ConfigError

from .marked import KEY, anonymized, marked
from .test_commands import run

MEN = "Ander Beñat Eneko Gorka Iker Jon Koldo Mikel Oier Unai".split()
WOMEN = "Ainhoa Ane Garazi Haizea Irati Leire Maialen Nerea Oihane Uxue".split()
SURNAMES = "Agirre Arana Bilbao Elorza Etxeberria Garmendia Ibarra Mendizabal Otegi Zubiri".split()
TOWNS = "Azkoitia Azpeitia Bergara Deba Eibar Irun Orio Tolosa Zarautz Zumaia".split()
HOSPITALS = [f"Hospital Ribera {letter}" for letter in "ABCDEFGHIJ"]
NOTE = "{Ana Pérez Soto|P}, de {Getafe|T}, {28901|T}. Sra. {Pérez|P}. Dr. {Luis Gil|S}, {Hospital La Paz|H}."


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"nombre;{name};{sex};{n}" for sex, names in (("m", MEN), ("f", WOMEN)) for n, name in enumerate(names, 1)]
    rows += [f"{kind};{name};;" for kind, names in (("apellido", SURNAMES), ("town", TOWNS)) for name in names]
    rows += [f"hospital;{name};;" for name in HOSPITALS]
    file = tmp_path / "valores.csv"
    file.write_text("\n".join(["kind;value;sex;weight", *rows]), encoding="utf-8")
    return file


def test_surrogates_are_drawn_from_the_file_and_stay_consistent(table: Path) -> None:
    policy = read_policy("research").with_own_values(read_own_values(table))
    note = marked(NOTE)
    done = anonymized(Engine(policy, KEY), note)
    full, town, postcode, surname, doctor, hospital = (done.text[r.start : r.end] for r in done.replaced)
    given, first, second = full.split()
    assert given in WOMEN
    assert {first, second, doctor.split()[1]} <= set(SURNAMES)
    assert surname == first
    assert doctor.split()[0] in MEN
    assert town in TOWNS
    assert postcode.startswith("20")  # all these towns lie in Gipuzkoa
    assert hospital in HOSPITALS
    assert policy.digest != read_policy("research").digest


def test_a_policy_names_its_file_and_a_text_of_its_own(table: Path) -> None:
    policy = table.parent / "mine.toml"
    policy.write_text(
        'name = "mine"\n[labels]\nNAME = "surrogate"\nHOSPITAL = {operator = "label", text = "<centro {number}>"}\n'
        '[surrogates]\nfile = "valores.csv"\n',
        encoding="utf-8",
    )
    text = anonymized(Engine(read_policy(policy), KEY), marked(NOTE)).text
    assert text.split()[0] in WOMEN
    assert text.endswith("<centro 1>.")


@pytest.mark.parametrize(
    "content",
    ["", "value\nAna\n", "kind,value\nplanet,Marte\n", "kind,value,sex\ngiven,Ana,\n", "kind,value\nsurname,Soto\n",
     "kind,value,weight\nsurname,Soto,-1\n", "kind,value\nsurname,\n"],
)  # fmt: skip
def test_files_that_are_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "v.csv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError):
        read_own_values(file)
    with pytest.raises(ConfigError):
        parse_policy('[surrogates]\nfile = "nowhere.csv"\n', "mine", tmp_path)


def test_on_the_command_line(table: Path, tmp_path: Path) -> None:
    note = tmp_path / "nota.txt"
    note.write_text("Paciente: Ana Pérez Soto. DNI 51234877X.\n", encoding="utf-8")
    result = run(
        "anonymize", note, "--policy", "research", "--surrogates", table, "--operator", "ID=label:(número {number})",
        key="una clave bastante larga",
    )  # fmt: skip
    text = result.stdout.decode()
    assert text.split()[1] in WOMEN
    assert "DNI (número 1)" in text
