"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (id) => document.getElementById(id);
  for (const element of all(".switches, .filter, .link")) element.hidden = false;

  function speak(language) {
    root.lang = language;
    for (const button of all("[data-language]")) {
      button.setAttribute("aria-pressed", String(button.dataset.language === language));
    }
    if (one("shown")) filter();
  }

  one("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // An error is shown if its type is checked, its label is chosen and, if required, some of it is readable.
  function filter() {
    const kinds = new Set(all("[data-kind]").filter((box) => box.checked).map((box) => box.dataset.kind));
    const label = one("label").value, name = one("name").value.trim().toLowerCase(), leaking = one("leaking").checked;
    let shown = 0, documents = 0;
    for (const page of all(".document")) {
      const on = new Set();
      for (const item of all(".errors > li", page)) {
        item.hidden = !(kinds.has(item.dataset.k)
          && (!label || item.dataset.l.split(" ").includes(label))
          && (!leaking || item.querySelector(".readable")));
        if (!item.hidden) on.add(item.dataset.e);
      }
      for (const mark of all("mark", page)) {
        mark.classList.toggle("off", !mark.dataset.e.split(" ").some((error) => on.has(error)));
      }
      const named = page.querySelector("summary b").textContent.toLowerCase().includes(name);
      page.hidden = !on.size || !named;
      if (!page.hidden) { shown += on.size; documents += 1; }
    }
    const many = (number, word, ending) => `${number} ${word}${number === 1 ? "" : ending}`;
    one("shown").textContent = root.lang === "es"
      ? `${many(shown, "error", "es")} · ${many(documents, "documento", "s")}`
      : `${many(shown, "error", "s")} · ${many(documents, "document", "s")}`;
  }

  function go(mark) {
    for (const old of all("mark.now")) old.classList.remove("now");
    mark.closest("details").open = true;
    mark.classList.add("now");
    mark.scrollIntoView({ block: "center" });
  }

  function next(step) {
    const marks = all(".document:not([hidden]) mark[data-tag]:not(.off)");
    const now = marks.findIndex((mark) => mark.classList.contains("now"));
    if (marks.length) go(marks[(now + step + marks.length + (now < 0 && step < 0 ? 1 : 0)) % marks.length]);
  }

  if (one("shown")) {
    for (const input of all(".filter input, .filter select")) input.addEventListener("input", filter);
    one("open").addEventListener("click", () => {
      const open = !document.querySelector(".document[open]:not([hidden])");
      for (const page of all(".document:not([hidden])")) page.open = open;
    });
    one("next").addEventListener("click", () => next(1));
    for (const button of all("[data-show]")) {
      button.addEventListener("click", () => {
        one("label").value = button.dataset.show;
        one("leaking").checked = true;
        filter();
        one("errors").scrollIntoView();
      });
    }
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
      if (event.key === "n") next(1);
      if (event.key === "p") next(-1);
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest(".errors a");
      if (!link) return;
      event.preventDefault();
      const error = link.closest("li").dataset.e;
      go(all("mark", link.closest("details")).find((mark) => mark.dataset.e.split(" ").includes(error)));
    });
  }

  function follow() {
    const target = location.hash && one(location.hash.slice(1));
    if (target && target.matches("details")) { target.open = true; target.scrollIntoView(); }
  }
  addEventListener("hashchange", follow);
  for (const button of all("[data-language]")) button.addEventListener("click", () => speak(button.dataset.language));
  speak((navigator.language || "es").startsWith("en") ? "en" : "es");
  follow();
})();
