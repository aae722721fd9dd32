"""Ages as notes write them: in years, months, weeks, days or hours, in figures or in words."""

from __future__ import annotations

from random import Random

from nadie.spanish.numbers import before_noun


def full_age(days: int, rng: Random) -> str:
    """The age with its unit, which belongs to the mention."""
    count, unit = _measure(days, rng)
    plural = "" if count == 1 else "es" if unit == "mes" else "s"
    share = rng.random()
    if share < 0.09:
        words = before_noun(count, feminine=unit in ("semana", "hora"))
        text = f"{words} {unit}{plural}"
    elif share < 0.11:
        text = f"{count}{unit}{plural}"
    else:
        text = f"{count} {unit}{plural}"
    if unit == "año" and 1 <= count <= 6 and rng.random() < 0.4:
        months = rng.randint(1, 11)
        text += f" y {months} mes{'es' if months > 1 else ''}"
    return text


def short_age(days: int, rng: Random) -> str:
    """`67a`, `5 m`, `12 d`: the telegraphic forms."""
    count, unit = _measure(days, rng)
    letter = {"año": "a", "mes": "m", "semana": "s", "día": "d", "hora": "h"}[unit]
    forms = [f"{count}{letter}", f"{count} {letter}", f"{count} {letter}.", f"{count}{letter}."]
    if unit == "año":
        forms += [f"{count} a", f"{count}a", f"{count} años", f"{count} AÑOS", f"{count}años"]
    if unit == "mes":
        forms = [f"{count}m", f"{count} m", f"{count} meses", f"{count}meses"]
    return rng.choice(forms)


def bare_age(days: int, rng: Random) -> str:
    """The number of years alone; a child under two has a unit all the same."""
    return str(days // 365) if days >= 730 else full_age(days, rng)


def _measure(days: int, rng: Random) -> tuple[int, str]:
    if days >= 730:
        return days // 365, "año"
    if days >= 60:
        return max(2, days // 30), "mes"
    if days >= 14 and rng.random() < 0.5:
        return days // 7, "semana"
    if days <= 3 and rng.random() < 0.5:
        return days * 24 - rng.randint(0, 20), "hora"
    return days, "día"
