"""The user's own names and places, which replace the built-in lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.pools import Pool


@dataclass(frozen=True)
class OwnValues:
    """The values by kind: `given m`, `given f`, `surname`, `town`, `hospital`, `centre`, `street`."""

    pools: dict[str, Pool] = field(default_factory=dict)
    digest: str = ""

    def get(self, kind: str) -> Pool | None:
        return self.pools.get(kind)

    def towns_of(self, province: str) -> Pool | None:
        """The towns in a province, or all of them if none is known to be there."""
        towns = self.pools.get("town")
        if towns is None:
            return None
        here = {town: 1 for town in towns.values if tables.town_codes().get(key_of(town)) == province}
        return Pool.of(here) if here else towns

    @property
    def provinces(self) -> frozenset[str]:
        """The provinces in which the towns are known to be."""
        towns = self.pools.get("town")
        codes = (tables.town_codes().get(key_of(town)) for town in towns.values) if towns else ()
        return frozenset(code for code in codes if code)
