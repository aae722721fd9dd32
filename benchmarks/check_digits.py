"""Numbers with valid check digits among code and data: how many a model finds with and without the net of patterns.

    python benchmarks/check_digits.py [MODEL]

Six types of numbers in thirteen lines that are no clinical text, twenty of each, drawn with a fixed seed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from stdnum import iban, luhn
from stdnum.cl import rut
from stdnum.es import dni, nie

from nadie.document import Document
from nadie.run import pipeline
from nadie.run.documents import load

LINES = (
    *("{}", 'id = "{}"', "{},44,ok", "row 17: {} -> done", "INSERT INTO t VALUES (3, '{}', 0.4);", "DNI {}", "# {}"),
    *(
        '{{"doc": "{}", "n": 3}}',
        'assert f("{}") == 1',
        "HB 13,2 g/dl; {}; Cr 0,9",
        "x\t{}\t2024",
        "<td>{}</td>",
        "{}|A|1",
    ),
)
EACH = 20


def numbers(rng: random.Random) -> dict[str, Callable[[], str]]:
    def digits(count: int) -> str:
        return "".join(rng.choices("0123456789", k=count))

    def with_check(body: str, check: Callable[[str], str], between: str = "") -> str:
        return body + between + check(body)

    def account() -> str:
        body = digits(20)
        return f"ES{iban.calc_check_digits('ES00' + body)}{body}"

    def insurance() -> str:
        body = f"{rng.randrange(1, 53):02}{rng.randrange(10**7, 10**8):08}"
        return f"{body}{int(body) % 97:02}"

    return {
        "dni": lambda: with_check(digits(8), dni.calc_check_digit),
        "nie": lambda: with_check(rng.choice("XYZ") + digits(7), nie.calc_check_digit),
        "rut": lambda: with_check("1" + digits(7), rut.calc_check_digit, "-"),
        "card": lambda: with_check("4" + digits(14), luhn.calc_check_digit),
        "iban": account,
        "nass": insurance,
    }


def main() -> None:
    model = load(sys.argv[1] if len(sys.argv) > 1 else "fast")
    drawn = numbers(random.Random(3))
    print("number  found  found with the net  of")
    for name, draw in drawn.items():
        values = [draw() for _ in range(EACH * len(LINES))]
        documents = [Document("", LINES[n % len(LINES)].format(value)) for n, value in enumerate(values)]
        net = pipeline._overlooked
        pipeline._overlooked = lambda document, spans, countries: iter(())
        without = _found(list(model.annotate_all(documents)), values)
        pipeline._overlooked = net
        print(f"{name:7} {without:5} {_found(list(model.annotate_all(documents)), values):19} {len(values):3}")


def _found(documents: list[Document], values: list[str]) -> int:
    places = (
        (document, document.text.index(value), len(value)) for document, value in zip(documents, values, strict=True)
    )
    return sum(
        all(any(span.start <= at < span.end for span in document.spans) for at in range(start, start + length))
        for document, start, length in places
    )


if __name__ == "__main__":
    main()
