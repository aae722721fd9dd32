"""A simulated annotator for review_keystrokes.py, who corrects notes on the review page with as few keys as possible.

A key counts as one, regardless of modifiers; so does a click. Reading the screen costs nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

from nadie.document import Document, Span
from nadie.service.project.searching import folded

DOUBTFUL = 0.95  # the page's default
_EYES = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").rstrip().removesuffix(";")
_MOST_STEPS = 40
_LINE_PIXELS = 31
_WORDS_OF_HALF_A_LINE = 6
_HINT = 2  # the usual number of keys for the letters next to a place


class Way(NamedTuple):
    """How to go to a place: by a key pressed repeatedly, by the letters next to it, or by searching for words."""

    keys: int
    key: str
    words: str = ""


class Note:
    """A note as it is on the page, and as it should be."""

    def __init__(self, document: Document, wanted: Document) -> None:
        self.name = wanted.id
        self.last: Span | None = None  # the doubtful span that was selected last
        self.text = document.text
        self.spans = list(document.spans)
        self.wanted = [Span(s.start, s.end, s.label) for s in wanted.spans]

    def tasks(self) -> list[Span]:
        """Spans to remove, and spans to add."""
        right = {(span.start, span.end, span.label) for span in self.spans}
        wrong = [span for span in self.spans if not any(_touch(span, other) for other in self.wanted)]
        return [*wrong, *(span for span in self.wanted if (span.start, span.end, span.label) not in right)]

    def touching(self, span: Span) -> list[Span]:
        return [other for other in self.spans if _touch(other, span)]

    def put(self, span: Span) -> None:
        self.spans = sorted([*(other for other in self.spans if not _touch(other, span)), span])

    def words(self, start: int, end: int) -> list[tuple[int, int]]:
        found, at = [], start
        while at < end:
            if self.text[at].isspace():
                at += 1
                continue
            stop = at + 1
            while self.text[at].isalnum() and stop < end and self.text[stop].isalnum():
                stop += 1
            found.append((at, stop))
            at = stop
        return found

    def is_inside_a_word(self, span: Span) -> bool:
        def cuts(place: int) -> bool:
            return 0 < place < len(self.text) and self.text[place - 1].isalnum() and self.text[place].isalnum()

        return cuts(span.start) or cuts(span.end)

    def search(self, span: Span) -> Way | None:
        """The shortest search text, and the number of repetitions, that lead to the first word of the span."""
        text = folded(self.text)
        first, last = self.words(span.start, span.end)[0]
        ways = []
        for length in range(2, last - first + 1):
            typed = text[first : first + length]
            further, at = 0, text.find(typed)
            while at < first:
                further, at = further + 1, text.find(typed, at + length)
            if at == first:
                ways.append(Way(length + further + 2, "Enter" * bool(further), typed))
        return min(ways, default=None)


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


class Annotator:
    """Makes the corrections of a note, the nearest first and each in the shortest way that the page has."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0
        page.evaluate(f"() => {{ window.annotator = {_EYES}; }}")
        self.labels: dict[str, dict[str, str]] = page.evaluate("annotator.labels()")
        self.features = set(page.evaluate("annotator.features()"))

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)
        self.keys += times

    def type(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.keys += len(words)

    def selected(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.page.evaluate("annotator.selected()")
        return found

    def correct(self, note: Note) -> None:
        """Make all corrections and mark the note as reviewed."""
        if not self.page.evaluate("document.querySelector('#text').contains(document.activeElement)"):
            self.page.focus("#text")
            self.keys += 1
        while tasks := note.tasks():
            task = min(tasks, key=lambda each: self._distance(note, each))
            if task not in note.wanted:
                self._remove(note, task)
            elif touching := note.touching(task):
                self._change(note, min(touching, key=lambda span: self._way(note, span)), task)
            else:
                self._add(note, task)
        has_doubts = any(span.score < DOUBTFUL for span in note.spans)
        self.press("Control+Shift+Enter" if has_doubts and "keyAllRight" in self.features else "Control+Enter")
        if self.page.locator("dialog[open]").count():
            self.press("Enter")

    def _distance(self, note: Note, task: Span) -> tuple[int, bool]:
        """The keys for a task; of equally near ones, a doubtful span is first if a decision on it goes to the next."""
        ways = [self._way(note, span) for span in note.touching(task)] or [self._way_to_words(note, task)]
        way = min(ways, key=lambda way: way.keys)
        return way.keys, "keySuggestion" in self.features and way.key != "d"

    def _label(self, label: str) -> None:
        known = self.labels[label]
        if known["key"]:
            self.press(known["key"].replace("⇧", "Shift+").replace(" ", ""))
            return
        self.press("t")
        self.type(known["search"])
        self.press("Enter")

    def _remove(self, note: Note, span: Span) -> None:
        self._go(note, span)
        self.press("Delete")
        note.spans.remove(span)

    def _change(self, note: Note, span: Span, wanted: Span) -> None:
        """Move the borders of a span and give it its label."""
        if "joins" not in self.features:
            for other in note.touching(wanted):
                if other != span:
                    self._remove(note, other)
        self._go(note, span)
        for edge, goal, back, forth in (("start", wanted.start, "h", "j"), ("end", wanted.end, "k", "l")):
            self._move(edge, goal, back, forth)
        here = self.selected()
        assert here is not None
        note.spans.remove(span)
        note.put(Span(here["start"], here["end"], span.label))
        if (here["start"], here["end"]) != (wanted.start, wanted.end):
            self._remove(note, Span(here["start"], here["end"], span.label))
            self._add(note, wanted)
        elif span.label != wanted.label:
            self._label(wanted.label)
            note.put(wanted)

    def _move(self, edge: str, goal: int, back: str, forth: str) -> None:
        for _ in range(_MOST_STEPS):
            here = self.selected()
            if here is None or here[edge] == goal:
                return
            self.press(back if here[edge] > goal else forth)
            now = self.selected()
            if now is None or now[edge] == here[edge] or (now[edge] - goal) * (here[edge] - goal) < 0:
                return

    def _add(self, note: Note, wanted: Span) -> None:
        suggested = self._suggested(wanted)
        has_other_start = suggested is not None and suggested[0] != wanted.start
        if note.is_inside_a_word(wanted) or has_other_start:  # no letters stand beside its first word
            self._drag(wanted)
        elif self._label_first(note, wanted):
            note.put(wanted)
            return
        else:
            self._select(note, wanted)
        self._label(wanted.label)
        note.put(wanted)

    def _label_first(self, note: Note, wanted: Span) -> bool:
        """With nothing selected, the key of a label shows letters next to the words: typing them labels a word."""
        is_word = note.words(wanted.start, wanted.end) == [(wanted.start, wanted.end)]
        sees = self.page.evaluate("start => annotator.sees(start)", wanted.start)
        if "labelFirst" not in self.features or not is_word or self.selected() is not None or not sees:
            return False
        if self._suggested(wanted):
            return False  # the letters are those of the suggestion
        self._label(wanted.label)
        self._type_code(note, wanted)
        return True

    def _suggested(self, span: Span) -> list[int] | None:
        """The place of the suggestion that overlaps a span."""
        places: list[list[int]] = self.page.evaluate("annotator.suggestions()")
        return next((place for place in places if place[0] < span.end and span.start < place[1]), None)

    def _type_code(self, note: Note, span: Span) -> None:
        code = self.page.evaluate("start => annotator.code(start)", span.start)
        if code is None:
            raise SystemExit(f"{note.name}: there are no letters beside {span}")
        self.type(code)

    def _way(self, note: Note, span: Span) -> Way:
        """The shortest way to a span."""
        here = self.selected()
        start, end = (here["start"], here["end"]) if here else (0, 0)
        doubts = sorted((s for s in note.spans if s.score < DOUBTFUL), key=lambda s: (s.score, s.start))
        goes_on = note.last if "keySuggestion" in self.features else None
        note.last = next((s for s in doubts if (s.start, s.end) == (start, end)), goes_on)
        if here and (start, end) == (span.start, span.end):
            return Way(0, "")
        order, at = note.spans, note.spans.index(span)
        ways = []
        if span in doubts:
            before, after = self._beside(note, doubts)
            there = doubts.index(span)
            ways += [Way((there - after) % len(doubts) + 1, "d"), Way((before - there) % len(doubts) + 1, "Shift+D")]
        after = next((n for n, other in enumerate(order) if other.start >= end), 0)
        before = next((n for n in range(len(order) - 1, -1, -1) if order[n].end <= start), len(order) - 1)
        ways += [Way((at - after) % len(order) + 1, "n"), Way((before - at) % len(order) + 1, "p")]
        return min([*ways, *self._everywhere(note, span)], key=lambda way: way.keys)

    def _beside(self, note: Note, doubts: list[Span]) -> tuple[int, int]:
        """The doubtful spans before and after the last one, which may have been removed."""
        if note.last is None:
            return len(doubts) - 1, 0
        last = (note.last.score, note.last.start)
        before = sum((s.score, s.start) < last for s in doubts) - 1
        after = sum((s.score, s.start) <= last for s in doubts)
        return before % len(doubts), after % len(doubts)

    def _everywhere(self, note: Note, span: Span) -> list[Way]:
        """Ways that lead to any place."""
        search = note.search(span) if "keySearch" in self.features else None
        suggested = self._suggested(span)
        has_letters = (
            "keyHints" in self.features
            and (suggested is None or suggested[0] == span.start)
            and self.page.evaluate("start => annotator.sees(start)", span.start)
        )
        letters = [Way(_HINT, "hint")] if has_letters else []
        return [*letters, *([search] if search else [])]

    def _way_to_words(self, note: Note, span: Span) -> Way:
        """The shortest way to words that are not a span."""
        here = self.selected()
        ways = [Way(self._steps(note, span.start), "walk"), *self._everywhere(note, span)]
        places: list[list[int]] = self.page.evaluate("annotator.suggestions()")
        if [span.start, span.end] in places:
            after = next((n for n, (start, _) in enumerate(places) if here and start >= here["end"]), 0)
            is_there = here is not None and [here["start"], here["end"]] == [span.start, span.end]
            there = places.index([span.start, span.end])
            ways.insert(0, Way(0 if is_there else (there - after) % len(places) + 1, ","))
            if "previousSuggestion" in self.features:
                ends = [end for _, end in places]
                before = sum(end <= here["start"] for end in ends) - 1 if here else -1
                ways.insert(0, Way(0 if is_there else (before - there) % len(places) + 1, "<"))
        return min(ways, key=lambda way: way.keys)

    def _go(self, note: Note, span: Span) -> None:
        self._take(note, self._way(note, span), span)
        here = self.selected()
        if here is None or (here["start"], here["end"]) != (span.start, span.end):
            raise SystemExit(f"{note.name}: the way to {span} leads to {here}")
        note.last = span if span.score < DOUBTFUL else note.last

    def _take(self, note: Note, way: Way, span: Span) -> None:
        if way.key == "hint":
            self.press(".")
            self._type_code(note, span)
        elif way.words:
            self.press("/")
            self.type(way.words)
            self.press("Enter", way.keys - len(way.words) - 2)
            self.press("Escape")
        elif way.key == "walk":
            self._walk(note, span)
        else:
            self.press(way.key, way.keys) if way.keys else None

    def _select(self, note: Note, span: Span) -> None:
        """Select words that are not a span yet."""
        self._take(note, self._way_to_words(note, span), span)
        for _ in range(_MOST_STEPS):
            here = self.selected()
            if here is None or here["start"] != span.start:
                self._drag(span)
                return
            if here["end"] >= span.end:
                return
            self.press("Shift+ArrowRight")

    def _drag(self, span: Span) -> None:
        """Correct by mouse what keys cannot reach, such as letters of a partly marked word; it counts as three."""
        x, y, to_x, to_y = self.page.evaluate("place => annotator.corners(...place)", [span.start, span.end])
        self.page.keyboard.down("Alt")
        self.page.mouse.move(x + 1, y)
        self.page.mouse.down()
        self.page.mouse.move(to_x - 1, to_y, steps=4)
        self.page.mouse.up()
        self.page.keyboard.up("Alt")
        self.keys += 3

    def _nearest(self, note: Note, place: int) -> Span | None:
        """The span to start from, unless the selection is nearer."""
        here = self.selected()
        nearest = min(note.spans, key=lambda span: abs(span.start - place), default=None)
        is_here = here is not None and (nearest is None or abs(here["start"] - place) <= abs(nearest.start - place))
        return None if is_here else nearest

    def _steps(self, note: Note, place: int) -> int:
        """An estimate of the number of keys to reach a place word by word."""
        nearest, here = self._nearest(note, place), self.selected()
        origin = nearest.start if nearest else here["start"] if here else 0
        low, high = sorted((origin, place))
        to_nearest = self._way(note, nearest).keys if nearest else 0
        heights = [self.page.evaluate("start => annotator.height(start)", at) for at in (low, high)]
        lines: int = round((heights[1] - heights[0]) / _LINE_PIXELS)
        return to_nearest + min(len(note.words(low, high)), lines + _WORDS_OF_HALF_A_LINE)

    def _walk(self, note: Note, span: Span) -> None:
        """Go to a word from the nearest span, by lines and words."""
        if nearest := self._nearest(note, span.start):
            self._go(note, nearest)
        was_above: bool | None = None
        by_line = True
        for _ in range(_MOST_STEPS):
            here = self.selected()
            if here is None:
                self.press("ArrowRight")
                continue
            if here["start"] <= span.start < here["end"]:
                return
            height = self.page.evaluate("start => annotator.height(start)", span.start)
            is_above = here["y"] < height
            by_line = by_line and (was_above is None or is_above == was_above)  # a line may have been skipped
            was_above = is_above
            is_far = len(note.words(*sorted((here["start"], span.start)))) > 4
            if by_line and abs(here["y"] - height) > 8 and is_far:
                self.press("ArrowDown" if is_above else "ArrowUp")
            else:
                self.press("ArrowRight" if here["start"] < span.start else "ArrowLeft")
