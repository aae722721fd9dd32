// The spans of many documents grouped by their words and label. The service has the same in searching.py.

import { Offsets } from "./offsets.js";
import { folded } from "./search.js";

const MOST = 1000;

/**
 * @param {Iterable<Stored>} documents
 * @param {{words?: string, label?: string | null, below?: number}} asked
 */
export function valuesOf(documents, { words = "", label = null, below = 1 } = {}) {
  const wanted = folded(words);
  /** @type {Map<string, Omit<ValueGroup, "documents"> & {ids: Set<number>}>} */
  const groups = new Map();
  for (const { id, text, spans } of documents) {
    const offsets = new Offsets(text);
    for (const span of spans) {
      if (label && span.label !== label) continue;
      const said = text.slice(offsets.toUtf16(span.start), offsets.toUtf16(span.end));
      const key = said.toLowerCase().split(/\s+/u).join(" ").trim();
      if (!folded(key).includes(wanted)) continue;
      const group = groups.get(`${key}|${span.label}`) ?? { words: said, label: span.label, count: 0, ids: new Set(), open: 0, score: 1, document: id };
      group.count++;
      group.ids.add(id);
      if (span.source !== "person") {
        group.open++;
        group.score = Math.min(group.score, span.score);
      }
      groups.set(`${key}|${span.label}`, group);
    }
  }
  return [...groups.values()]
    .map(({ ids, ...group }) => ({ ...group, documents: ids.size }))
    .filter(({ open, score }) => below >= 1 || (open && score < below))
    .sort((a, b) => b.count - a.count || (a.words < b.words ? -1 : 1))
    .slice(0, MOST);
}
