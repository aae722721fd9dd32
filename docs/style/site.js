// A table that is wider than the page scrolls: the keyboard must reach it.
function reachTables() {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) wrap.tabIndex = 0;
}
new MutationObserver(reachTables).observe(document.documentElement, { childList: true, subtree: true });
reachTables();
