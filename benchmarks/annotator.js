// What an annotator sees on the review page, for benchmarks/annotator.py. Offsets are UTF-16 units of the text.
({
  get lines() {
    return document.querySelector("#text .lines");
  },

  // A DOM range over a piece of the text.
  range(start, end) {
    const range = document.createRange();
    const walker = document.createTreeWalker(this.lines, NodeFilter.SHOW_TEXT);
    let at = 0;
    for (let node; (node = walker.nextNode()); at += node.length) {
      if (at <= start && start < at + node.length) range.setStart(node, start - at);
      if (at < end && end <= at + node.length) {
        range.setEnd(node, end - at);
        break;
      }
    }
    return range;
  },

  placeOf(range) {
    const before = document.createRange();
    before.setStart(this.lines, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const start = before.toString().length;
    return [start, start + range.toString().length];
  },

  // The selected span or words, and their height on the screen; null if nothing is selected.
  selected() {
    const marks = this.lines.querySelectorAll(".mark.selected");
    const [pending] = CSS.highlights.get("pending") ?? [];
    if (!marks.length && !pending) return null;
    const range = document.createRange();
    if (marks.length) {
      range.setStartBefore(marks[0]);
      range.setEndAfter(marks[marks.length - 1]);
    } else {
      range.setStart(pending.startContainer, pending.startOffset);
      range.setEnd(pending.endContainer, pending.endOffset);
    }
    const [start, end] = this.placeOf(range);
    return { start, end, y: this.height(start) };
  },

  height(start) {
    const box = this.range(start, start + 1).getBoundingClientRect();
    return box.top + box.height / 2;
  },

  sees(start) {
    const frame = document.querySelector("#text").getBoundingClientRect();
    const box = this.range(start, start + 1).getBoundingClientRect();
    return box.top >= frame.top && box.bottom <= Math.min(frame.bottom, innerHeight);
  },

  suggestions() {
    return [...(CSS.highlights.get("nearly") ?? [])].map((range) => this.placeOf(range));
  },

  // The letters beside a place, if they are shown.
  code(start) {
    const box = this.range(start, start + 1).getBoundingClientRect();
    const root = document.querySelector("#text");
    const frame = root.getBoundingClientRect();
    const [x, y] = [box.left - frame.left + root.scrollLeft, box.top - frame.top + root.scrollTop];
    const isNear = ({ style }) => Math.abs(parseFloat(style.left) - x) < 3 && Math.abs(parseFloat(style.top) - y) < 3;
    return [...root.querySelectorAll(".hints kbd")].find(isNear)?.dataset.code ?? null;
  },

  // Where a piece of the text begins and ends on the screen.
  corners(start, end) {
    const range = this.range(start, end);
    range.startContainer.parentElement.scrollIntoView({ block: "center" });
    const first = this.range(start, start + 1).getBoundingClientRect();
    const last = this.range(end - 1, end).getBoundingClientRect();
    return [first.left, first.top + first.height / 2, last.right, last.top + last.height / 2];
  },

  // What this page can do: the commands and keys of its help, and whether a border that runs into a neighbour joins it. The modules are
  // served by review_browser.py.
  async features() {
    const commands = await import("/page/core/commands.js").catch(() => null);
    const texts = commands?.COMMANDS.flatMap(({ text, keys }) => [text, ...Object.values(keys)]) ?? (await import("/page/views/keyboard.js")).KEYS.map(([text]) => text);
    const { joining } = await import("/page/core/spans.js");
    const { spanish } = await import("/page/strings/es.js");
    return [...texts, ...(joining ? ["joins"] : []), ...("hintsForLabel" in spanish.texts ? ["labelFirst"] : [])];
  },

  // For each label its key, if the page has one, and what has to be typed in the list to have it first.
  async labels() {
    const { CLASSES, LABELS, KEY_OF } = await import("/page/core/labels.js");
    const { labelName, labelTag } = await import("/page/core/i18n.js");
    const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const texts = (label) => [labelName(label), labelTag(label), label].map((name) => plain(name).replaceAll("_", " "));
    const fits = (label, search) => texts(label).some((text) => text.includes(search));
    const first = (search) => Object.values(CLASSES).flat().find((label) => fits(label, search));
    // People type the beginning of a word of the name or tag that they see.
    const words = (label) => texts(label).slice(0, 2).flatMap((text) => text.split(" "));
    const shortest = (label) => {
      for (let length = 1; length < 20; length++)
        for (const word of words(label))
          if (length <= word.length && first(word.slice(0, length)) === label) return word.slice(0, length);
      return plain(labelName(label));
    };
    return Object.fromEntries(LABELS.map((label) => [label, { key: KEY_OF?.[label] ?? null, search: shortest(label) }]));
  },
});
