// Requests to the service. A problem becomes an ApiError with its kind and without text of a document.
//
// A token is sent once, to sign on; from then on the browser has a cookie that no script can read.

/** @typedef {{signal?: AbortSignal, keepalive?: boolean, headers?: Record<string, string>}} Options */

export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Record<string, any>} problem
   */
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.kind = (problem.type || "").split(":").at(-1) || "network";
    this.problem = problem;
  }
}

export class Api {
  /** @type {Promise<void> | null} */
  #gate = null; // while the page is locked, requests wait here
  #release = () => {};
  /** @type {((problem: any) => Promise<boolean>) | null} */
  onUnauthorized = null; // signs the user on, given the problem; resolves to whether they are

  // Sign on with a token; rejects with the problem if it is not valid.
  /**
   * @param {string} token
   * @returns {Promise<Me>}
   */
  async signOn(token) {
    const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
    const response = await this.#fetch("POST", "/v1/session", {}, { headers });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new ApiError(response.status, answer);
    return answer;
  }

  async signOut() {
    await this.#fetch("DELETE", "/v1/session", undefined, {}).catch(() => {});
  }

  // All further requests wait until somebody signs on again.
  lock() {
    this.#gate = new Promise((resolve) => {
      this.#release = () => resolve();
    });
  }

  unlock() {
    this.#gate = null;
    this.#release();
  }

  /**
   * @param {string} path
   * @param {Options} options
   */
  get(path, options = {}) {
    return this.#json("GET", path, undefined, options);
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {Options} options
   */
  post(path, body, options = {}) {
    return this.#json("POST", path, body, options);
  }

  /**
   * @param {string} path
   * @param {unknown} body
   */
  put(path, body) {
    return this.#json("PUT", path, body, {});
  }

  /** @param {string} path */
  delete(path) {
    return this.#json("DELETE", path, undefined, {});
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<Download>}
   */
  async download(path, body) {
    const response = await this.#send("POST", path, body, {});
    const count = (/** @type {string} */ name) => Number(response.headers.get(name));
    return { blob: await response.blob(), name: fileName(response), failed: count("X-Nadie-Failed"), undecided: count("X-Nadie-Undecided") };
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {Options} options
   * @returns {Promise<{data: any, tag: string | null}>}
   */
  async #json(method, path, body, options) {
    const response = await this.#send(method, path, body, options);
    const tag = response.headers.get("ETag");
    return { data: response.status === 204 || response.status === 304 ? null : await response.json(), tag };
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {Options} options
   * @returns {Promise<Response>}
   */
  async #send(method, path, body, options) {
    if (this.#gate) await this.#gate;
    const response = await this.#fetch(method, path, body, options);
    if (response.status === 401 && this.onUnauthorized) {
      const problem = await response.clone().json().catch(() => ({}));
      if (await this.onUnauthorized(problem)) return this.#send(method, path, body, options);
    }
    if (!response.ok && response.status !== 304) {
      throw new ApiError(response.status, await response.json().catch(() => ({})));
    }
    return response;
  }

  // Paths are relative to the page, which may be below the root of its host.
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {Options} options
   */
  async #fetch(method, path, body, { headers = {}, signal, keepalive }) {
    const isJson = body !== undefined;
    try {
      return await fetch(new URL(path.slice(1), document.baseURI), {
        method,
        headers: isJson ? { ...headers, "Content-Type": "application/json" } : headers,
        body: isJson ? JSON.stringify(body) : undefined,
        cache: "no-store",
        credentials: "same-origin",
        signal,
        keepalive,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, { type: "network" });
    }
  }
}

// Rejects if a replacement has a part of an original value. The check is the same under every policy.
/**
 * @param {Api} api
 * @param {Stored} document
 * @param {Choice[]} replacements
 */
export async function checkReplacements(api, { name, text, spans }, replacements) {
  if (replacements.length) await api.post("/v1/anonymize", { id: name, text, spans, policy: "default", replacements });
}

/** @param {Response} response */
function fileName(response) {
  const header = response.headers.get("Content-Disposition") || "";
  const match = /filename\*=UTF-8''([^;]+)/.exec(header);
  return match ? decodeURIComponent(match[1]) : "nadie.zip";
}
