// The scanned pages of documents, and the boxes that reviewers drew on them: a project stores them, others stay in this tab.

import { originals } from "./originals.js";

/**
 * @typedef {import("./page_boxes.js").ShownPage} ShownPage
 * @typedef {import("./page_boxes.js").PageBox} PageBox
 * @typedef {{pages: ShownPage[], boxes: PageBox[], keep: (boxes: PageBox[]) => Promise<void>}} ScannedPages
 */

// Those of a document; `keep` stores all boxes whenever they have changed.
/**
 * @param {Api} api
 * @param {number} id
 * @param {{stored: boolean}} options whether the project stores the file
 * @returns {Promise<ScannedPages>}
 */
export async function scannedPages(api, id, { stored }) {
  if (stored) return pagesOfProject(api, `/v1/project/documents/${id}`);
  const body = originals.scanOf(id);
  const { data } = await api.post("/v1/pages", body);
  const keep = async (/** @type {PageBox[]} */ boxes) => {
    if (body) body.boxes = boxes;
  };
  return { pages: data.pages, boxes: body?.boxes ?? [], keep };
}

/**
 * @param {Api} api
 * @param {string} path
 * @returns {Promise<ScannedPages>}
 */
async function pagesOfProject(api, path) {
  const { data } = await api.get(`${path}/pages`);
  let { version } = data;
  let queue = Promise.resolve(); // each version is based on the one before
  const keep = (/** @type {PageBox[]} */ boxes) => {
    const sent = queue.then(async () => {
      version = (await api.put(`${path}/boxes`, { boxes, version })).data.version;
    });
    queue = sent.catch(() => {});
    return sent;
  };
  return { pages: data.pages, boxes: data.boxes, keep };
}
