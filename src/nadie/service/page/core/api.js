// Talking to the service. A problem it answers with becomes an ApiError that holds its kind and nothing of a document.

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
  onUnauthorized = null; // asks the person for a token; resolves to it, or to "" if they give up

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
    const response = await this.#fetch(method, path, body, headers, options);
    if (response.status === 401 && this.onUnauthorized) {
      const token = await this.onUnauthorized();
      if (token) {
        this.#token = token;
        sessionStorage.setItem(TOKEN, token);
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
        credentials: "omit",
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
