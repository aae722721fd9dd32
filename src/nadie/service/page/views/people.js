// The people of the service and their roles: new tokens, changed roles, revoked tokens.

import { element, targetOf } from "../core/dom.js";
import { timeOf } from "../core/events.js";
import { t } from "../core/i18n.js";
import { ask } from "./dialogs.js";
import { complain, say } from "./messages.js";
import { table } from "./table.js";

// The permissions that a person at the page may have, in the order in which they grow.
const ROLES = /** @type {const} */ (["review", "originals", "adjudicate", "keep", "restore", "administer"]);

/**
 * @typedef {{name: string, permissions: string[], sign_on: string, created: string | null, expires: string | null,
 *   last_used: string | null, previous_until: string | null}} Person
 */

/** @param {Api} api */
export async function showPeople(api) {
  const holder = element("div", { id: "people-table" });
  const shown = async () => {
    const { data: people } = await api.get("/v1/people");
    holder.replaceChildren(peopleTable(api, people, () => shown().catch(complain)));
  };
  await shown();
  await ask(t("peopleTitle"), [holder, newPerson(api, () => shown().catch(complain))], { cancel: "close", wide: true });
}

/**
 * @param {Api} api
 * @param {Person[]} people
 * @param {() => void} changed
 */
function peopleTable(api, people, changed) {
  const when = (/** @type {string | null} */ at) => (at ? timeOf(at) : "–");
  const rows = people.map((person) => [person.name, roleBoxes(api, person), when(person.created), when(person.last_used), when(person.expires), actions(api, person, changed)]);
  return table("people-list", t("peopleTitle"), [t("person"), t("roles"), t("tokenCreated"), t("tokenUsed"), t("tokenExpires"), t("actions")], rows);
}

// A box for each role; the change is sent at once, and taken back if it is refused.
/**
 * @param {Api} api
 * @param {Person} person
 */
function roleBoxes(api, person) {
  const others = person.permissions.filter((name) => !ROLES.some((role) => role === name));
  const boxes = ROLES.map((role) => {
    const box = element("input", { type: "checkbox", value: role, checked: person.permissions.includes(role) });
    return element("label", {}, box, element("span", {}, t(`role_${role}`)));
  });
  const group = element("div", { class: "roles", role: "group", "aria-label": `${t("roles")}: ${person.name}` }, ...boxes);
  group.addEventListener("change", (event) => {
    const box = targetOf(event);
    const chosen = [...group.querySelectorAll("input")].filter(({ checked }) => checked).map(({ value }) => value);
    const sent = api.put("/v1/people", { name: person.name, permissions: [...others, ...chosen] });
    sent.then(() => say(t("saidRoles", { name: person.name }))).catch((error) => {
      box.checked = !box.checked;
      complain(error);
    });
  });
  return group;
}

/**
 * @param {Api} api
 * @param {Person} person
 * @param {() => void} changed
 */
function actions(api, { name, sign_on }, changed) {
  const rotate = async () => {
    const { data } = await api.post("/v1/people/rotate", { name });
    await showToken(name, data);
    changed();
  };
  const revoke = async () => {
    if (!(await ask(t("revoke"), [element("p", {}, t("revokeQuestion", { name }))], { go: t("revoke"), kind: "framed danger" }))) return;
    await api.post("/v1/people/revoke", { name });
    changed();
  };
  const button = (/** @type {TextKey} */ text, /** @type {() => Promise<void>} */ work) =>
    element("button", { type: "button", class: "framed", "aria-label": `${t(text)}: ${name}`, onclick: () => work().catch(complain) }, t(text));
  return element("div", { class: "row" }, sign_on === "token" ? button("newToken", rotate) : null, button("revoke", revoke));
}

/**
 * @param {Api} api
 * @param {() => void} changed
 */
function newPerson(api, changed) {
  const name = element("input", { id: "person-name", type: "text", maxlength: "60", autocomplete: "off", spellcheck: "false" });
  const role = element("select", { id: "person-role" }, ...ROLES.map((each) => element("option", { value: each }, t(`role_${each}`))));
  const add = element("button", { id: "person-add", type: "button", class: "primary" }, t("addPerson"));
  const work = async () => {
    if (!name.value.trim()) {
      name.focus();
      return;
    }
    const { data } = await api.post("/v1/people", { name: name.value.trim(), permissions: [role.value] });
    name.value = "";
    if (data?.token) await showToken(data.name ?? "", data);
    changed();
  };
  add.addEventListener("click", () => work().catch(complain));
  return element(
    "fieldset",
    {},
    element("legend", {}, t("addPerson")),
    element("label", { class: "stacked" }, t("person"), name),
    element("label", { class: "stacked" }, t("roles"), role),
    element("div", { class: "row" }, add),
  );
}

// A token is shown once: the service stores only its hash.
/**
 * @param {string} name
 * @param {{token: string, old_until?: string | null}} made
 */
function showToken(name, { token, old_until: until }) {
  const field = element("input", { type: "text", readonly: true, value: token, autofocus: true, "aria-label": t("loginToken") });
  const old = until ? element("p", { class: "remark" }, t("tokenOldUntil", { at: timeOf(until) })) : null;
  return ask(t("tokenTitle", { name }), [element("p", {}, t("tokenOnce")), element("label", { class: "stacked" }, t("loginToken"), field), old], { cancel: "close" });
}
