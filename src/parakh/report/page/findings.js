"use strict";
// Everything is on the page already; this filters the findings.
(() => {
  const box = document.getElementById("filter");
  if (!box) return;
  const groups = [...document.querySelectorAll(".of-recording")].map(group => ({
    group, name: group.dataset.name.toLowerCase(),
    rows: [...group.querySelectorAll("tbody tr")].map(row => ({ row, text: row.textContent.toLowerCase() })),
  }));
  const all = groups.flatMap(one => one.rows);
  function choice(label, values) {
    const list = document.createElement("select");
    list.setAttribute("aria-label", label);
    for (const [value, text] of [["", label], ...values]) list.append(new Option(text, value));
    list.addEventListener("change", show);
    box.append(list);
    return list;
  }
  const find = document.createElement("input"), told = document.createElement("output");
  find.type = "search";
  find.placeholder = "Find a recording, file or word";
  find.setAttribute("aria-label", find.placeholder);
  find.addEventListener("input", show);
  box.append(find);
  const severity = choice("every severity", ["error", "warning", "note"].map(one => [one, one]));
  const codes = [...new Set(all.map(({ row }) => row.dataset.code))].sort();
  const code = choice("every check", codes.map(one => [one, one]));
  box.append(told);
  box.hidden = false;
  function show() {
    const wanted = find.value.toLowerCase();
    let kept = 0;
    for (const { group, name, rows } of groups) {
      let here = 0;
      for (const { row, text } of rows) {
        const fits = (!wanted || text.includes(wanted) || name.includes(wanted))
          && (!severity.value || row.dataset.severity === severity.value) && (!code.value || row.dataset.code === code.value);
        row.hidden = !fits;
        here += fits;
      }
      group.hidden = !here;
      kept += here;
    }
    told.textContent = kept < all.length ? `${kept} of ${all.length}` : "";
  }
  // A link to a recording opens it.
  function open() {
    const aimed = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (aimed && aimed.tagName === "DETAILS") aimed.open = true;
  }
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => { for (const { group } of groups) group.open = true; });
  open();
})();
