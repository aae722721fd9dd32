// Requests to the service. A problem becomes an ApiError with its kind and without text of a document.

const TOKEN = "nadie.token";

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.kind = (problem.type || "").split(":").at(-1) || "network";
    this.problem = problem;
  }
}

export class Api {
  #token = sessionStorage.getItem(TOKEN) || "";
  /** @type {Promise<void> | null} */
  #gate = null; // while the page is locked, requests wait here
  #release = () => {};
  /** @type {((problem: any) => Promise<string>) | null} */
  onUnauthorized = null; // asks the user for a token, given the problem; resolves to it, or to "" if they cancel

  forget() {
    this.#token = "";
    sessionStorage.removeItem(TOKEN);
  }

  lock() {
    this.forget();
    this.#gate = new Promise((/** @type {() => void} */ resolve) => {
      this.#release = resolve;
    });
  }

  // Continue if it is the same person; else resolves to the key of the error message.
  async unlock(token, name) {
    const response = await this.#fetch("GET", "/v1/me", undefined, token ? { Authorization: `Bearer ${token}` } : {}, {});
    const answer = await response.json();
    if (!response.ok) return answer.reason === "expired" ? "loginExpired" : "loginWrong";
    if (answer.name !== name) return "otherPerson";
    this.#take(token);
    this.#gate = null;
    this.#release();
    return null;
  }

  #take(token) {
    this.#token = token;
    if (token) sessionStorage.setItem(TOKEN, token);
  }

  get(path, headers = {}) {
    return this.#json("GET", path, undefined, headers);
  }

  post(path, body, options = {}) {
    return this.#json("POST", path, body, {}, options);
  }

  put(path, body) {
    return this.#json("PUT", path, body);
  }

  delete(path) {
    return this.#json("DELETE", path);
  }

  async download(path, body) {
    const response = await this.#send("POST", path, body);
    return { blob: await response.blob(), name: fileName(response), failed: Number(response.headers.get("X-Nadie-Failed")) };
  }

  async #json(method, path, body, headers, options) {
    const response = await this.#send(method, path, body, headers, options);
    if (response.status === 204 || response.status === 304) return { data: null, tag: response.headers.get("ETag") };
    return { data: await response.json(), tag: response.headers.get("ETag") };
  }

  async #send(method, path, body, headers = {}, options = {}) {
    if (this.#gate) await this.#gate;
    const response = await this.#fetch(method, path, body, headers, options);
    if (response.status === 401 && this.onUnauthorized) {
      const token = await this.onUnauthorized(await response.clone().json().catch(() => ({})));
      if (token) {
        this.#take(token);
        return this.#send(method, path, body, headers, options);
      }
    }
    if (!response.ok && response.status !== 304) {
      throw new ApiError(response.status, await response.json().catch(() => ({})));
    }
    return response;
  }

  async #fetch(method, path, body, headers, options) {
    const all = { ...headers };
    if (this.#token) all.Authorization = `Bearer ${this.#token}`;
    if (body !== undefined) all["Content-Type"] = "application/json";
    try {
      return await fetch(path, {
        method,
        headers: all,
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        credentials: "same-origin", // for the cookie of an authenticating proxy; the service itself has none
        signal: options.signal,
        keepalive: options.keepalive,
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ApiError(0, { type: "network" });
    }
  }
}

function fileName(response) {
  const header = response.headers.get("Content-Disposition") || "";
  const match = /filename\*=UTF-8''([^;]+)/.exec(header);
  return match ? decodeURIComponent(match[1]) : "nadie.zip";
}
