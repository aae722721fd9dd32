"""Folded tables with a word at the beginning of each line, in which single words are looked up.

Indexing a large table takes longer than anonymizing a short note, for which a dozen words are looked up. So the first
words are searched for in the text of the table, and it is indexed after many look-ups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_SEARCHES = 64


class WordTable:
    """Lines of a word and, after a tab each, other fields. Threads may share one.

    >>> WordTable("ana\\tf\\nana\\tm\\nluis\\tm")["ana"]
    [['f'], ['m']]
    """

    def __init__(self, folded: str) -> None:
        self._text = f"\n{folded.strip()}\n"
        self._searches = 0
        self._lines_of: dict[str, str] | None = None

    def __contains__(self, word: str) -> bool:
        return bool(self[word])

    def __getitem__(self, word: str) -> list[list[str]]:
        """The other fields of each line that begins with the word, in order."""
        return [line.split("\t")[1:] for line in self._lines(word)]

    def _lines(self, word: str) -> Iterable[str]:
        if self._lines_of is None:
            self._searches += 1
            if self._searches <= _SEARCHES:
                return self._searched(word)
            self._lines_of = self._indexed()
        lines = self._lines_of.get(word)
        return () if lines is None else lines.split("\n")

    def _indexed(self) -> dict[str, str]:
        """The lines of each first word, joined: strings, which the garbage collector does not visit."""
        found: dict[str, str] = {}
        for line in self._text.strip("\n").split("\n"):
            word = line.partition("\t")[0]
            found[word] = f"{found[word]}\n{line}" if word in found else line
        return found

    def _searched(self, word: str) -> Iterator[str]:
        start = self._text.find(f"\n{word}")
        while 0 <= start < len(self._text) - 1:
            end = self._text.find("\n", start + 1)
            line = self._text[start + 1 : end]
            if line.partition("\t")[0] == word:
                yield line
            start = self._text.find(f"\n{word}", end)
