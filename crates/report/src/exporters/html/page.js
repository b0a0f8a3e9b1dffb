"use strict";
// The page is complete without this: it sorts, filters and opens rows where they stand.
(() => {
  const root = document.documentElement;
  const make = (tag, properties = {}, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...inside);
    return element;
  };
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  root.classList.add("js");

  // Light or dark, until the page is closed; the system's choice at first.
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = make("button", { type: "button", className: "theme" });
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });
  nameTheme();
  document.querySelector("header")?.append(theme);

  // A command can be copied, where the browser lets a page do that.
  for (const code of navigator.clipboard ? document.querySelectorAll(".command") : []) {
    const button = set(make("button", { type: "button", className: "copy", textContent: "Copy" }), { "aria-label": `Copy ${code.textContent}` });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    code.after(" ", button);
  }

  // A flame graph zooms to a frame, and shows which frames a text is in.
  for (const svg of document.querySelectorAll("svg.chart:has(.frame)")) {
    const value = (element, name) => Number(element.getAttribute(name));
    const frames = [...svg.querySelectorAll(".frame")].map((group) => {
      const [title, rect, label] = group.children;
      const name = title.textContent;
      return { group, rect, label, name, x: value(rect, "x"), width: value(rect, "width"), y: value(rect, "y") };
    });
    const all = svg.viewBox.baseVal.width;
    const zoom = (to) => {
      const scale = all / (to ? to.width : all);
      for (const frame of frames) {
        // The frame itself and its callers, which take the whole width exactly: a product would be rounded.
        const isWhole = frame === to || (to && frame.y < to.y && frame.x <= to.x + 0.1 && frame.x + frame.width >= to.x + to.width - 0.1);
        const x = isWhole ? 0 : (frame.x - (to ? to.x : 0)) * scale;
        const width = isWhole ? all : frame.width * scale;
        const isShown = isWhole || ((!to || frame.y >= to.y) && x > -0.5 && x + width < all + 0.5);
        frame.group.style.display = isShown ? "" : "none";
        set(frame.rect, { x, width });
        frame.label.setAttribute("x", x + 3);
        const letters = Math.floor((width - 6) / 6.2);
        const text = frame.name.slice(0, frame.name.lastIndexOf(": "));
        frame.label.textContent = letters < 3 ? "" : text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
      }
    };
    for (const frame of frames) {
      set(frame.group, { tabindex: 0, role: "button", "aria-label": frame.name });
      frame.group.addEventListener("click", () => zoom(frame));
    }
    svg.removeAttribute("role");
    svg.addEventListener("keydown", (event) => {
      const frame = frames.find((one) => one.group === document.activeElement);
      if ((event.key === "Enter" || event.key === " ") && frame) { event.preventDefault(); zoom(frame); }
      if (event.key === "Escape") zoom();
    });
    const search = set(make("input", { type: "search", placeholder: "Search functions" }), { "aria-label": "Search functions" });
    const whole = make("button", { type: "button", className: "copy", textContent: "Whole graph" });
    const found = set(make("span", { className: "r-quiet" }), { role: "status" });
    whole.addEventListener("click", () => zoom());
    search.addEventListener("input", () => {
      const text = search.value.toLowerCase();
      const hits = frames.filter((frame) => {
        const isHit = text !== "" && frame.name.toLowerCase().includes(text);
        frame.group.classList.toggle("hit", isHit);
        return isHit;
      });
      found.textContent = text === "" ? "" : ` ${hits.length} ${hits.length === 1 ? "frame" : "frames"}`;
    });
    svg.before(make("p", { className: "flame" }, search, " ", whole, found));
  }

  const table = document.querySelector("table.cases");
  if (!table) return;
  // A group is one body of the table, or several where there are many rows.
  const groups = [];
  for (const body of table.tBodies) {
    if (body.dataset.g !== undefined) groups.push([]);
    groups.at(-1).push(body);
  }
  const isCase = (row) => !row.matches(".group, .open");
  const rows = groups.flatMap((group) => {
    const head = group[0].querySelector(".group");
    const title = head ? head.cells[0].textContent : "";
    return group.flatMap((body) => [...body.rows].filter(isCase)).map((row, place) => ({
      row, group, place, word: row.dataset.word ?? "", text: `${title}/${row.dataset.name ?? row.cells[0].textContent}`.toLowerCase(),
    }));
  });
  const sizes = new Map([...table.tBodies].map((body) => [body, [...body.rows].filter(isCase).length]));
  const heads = [...table.tHead.rows[0].cells];

  // A row opens below itself, and takes its details back when it closes.
  const linkOf = (row) => row.cells[0].querySelector("a[data-case]");
  const openRow = (row, link) => {
    const body = document.getElementById(link.dataset.case);
    const cell = make("td", { colSpan: heads.length });
    const below = make("tr", { className: "open" }, cell);
    below.from = body.parentNode;
    cell.append(body);
    row.after(below);
    link.setAttribute("aria-expanded", "true");
  };
  const closeRow = (row, link) => {
    const below = row.nextElementSibling;
    below.from.append(below.firstChild.firstChild);
    below.remove();
    link.setAttribute("aria-expanded", "false");
  };
  // The address names the row that was opened last, so that it can be sent to others.
  const address = (hash) => { try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* not in every frame */ } };
  const isOpen = (link) => link.getAttribute("aria-expanded") === "true";
  const toggle = (row, wanted) => {
    const link = linkOf(row);
    if (!link || isOpen(link) === wanted) return;
    const own = `#${link.dataset.case}`;
    if (!isOpen(link)) address(own);
    else if (location.hash === own) address("");
    (isOpen(link) ? closeRow : openRow)(row, link);
  };
  for (const { row } of rows) {
    const link = linkOf(row);
    if (link) set(link, { "aria-expanded": "false", role: "button" });
  }
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (!row || row.matches(".group, .open") || !row.closest("tbody") || getSelection().toString() || !linkOf(row)) return;
    event.preventDefault();
    toggle(row);
  });
  table.addEventListener("keydown", (event) => {
    if (event.key !== " " || !event.target.matches("a[data-case]")) return;
    event.preventDefault();
    toggle(event.target.closest("tr"));
  });
  const show = (anchor) => {
    const found = rows.find(({ row }) => linkOf(row)?.dataset.case === anchor);
    if (!found) return;
    found.row.hidden = found.row.parentNode.hidden = false;
    toggle(found.row, true);
    found.row.scrollIntoView({ block: "start" });
    linkOf(found.row).focus({ preventScroll: true });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-case]");
    if (!link || link.closest("table.cases")) return;
    event.preventDefault();
    show(link.dataset.case);
  });

  // Two rows with values are compared where they are chosen: the ratio of the newer to the older, its interval from both of theirs.
  const runs = JSON.parse(table.dataset.runs ?? "[]");
  const seriesOf = (row) => (row.dataset.value ?? "").split(";").map((values) => values && values.split(" ").map(Number));
  const ratioOf = (a, b) => {
    const half = (of, end) => Math.log(of[end] / of[0]);
    const ratio = b[0] / a[0];
    return [ratio, ratio * Math.exp(-Math.hypot(half(a, 2), half(b, 1))), ratio * Math.exp(Math.hypot(half(a, 1), half(b, 2)))];
  };
  const textOf = ([ratio, ...ends]) => `${ratio.toFixed(3)} [${ends.map((end) => end.toFixed(3)).join(", ")}]`;
  // The commits between them, where they are known: as a command, and as a link.
  const web = table.dataset.compare;
  const commitsOf = (a, b) => {
    if (!a || !b || a === b) return [];
    const command = make("code", { textContent: `git log --oneline ${a}..${b}` });
    const link = web && make("a", { textContent: "commits", href: `${web}${a}...${b}` });
    return ["; ", command, ...(link ? [" ", link] : [])];
  };
  const valued = runs.length ? [] : rows.filter(({ row }) => row.dataset.value);
  if (valued.length > 1) {
    const nameOf = ({ row }) => row.cells[0].textContent.trim();
    const sayOf = (older, newer) => [
      `${nameOf(older)} to ${nameOf(newer)}: ratio ${textOf(ratioOf(seriesOf(older.row)[0], seriesOf(newer.row)[0]))}`,
      ...commitsOf(older.row.dataset.commit, newer.row.dataset.commit),
    ];
    const said = set(make("output", { textContent: "Choose two rows to compare them." }), { "aria-live": "polite" });
    let chosen = [];
    for (const one of valued) {
      one.box = set(make("input", { type: "checkbox" }), { "aria-label": `Compare ${one.row.cells[0].textContent}` });
      one.box.addEventListener("change", () => {
        chosen = chosen.filter((other) => other !== one);
        if (one.box.checked) chosen.push(one);
        if (chosen.length > 2) chosen.shift().box.checked = false;
        // The newest row stands first.
        const [newer, older] = [...chosen].sort((a, b) => a.place - b.place);
        said.replaceChildren(...(older ? sayOf(older, newer) : ["Choose two rows to compare them."]));
      });
      one.row.cells[0].prepend(one.box, " ");
    }
    table.parentNode.before(make("p", { className: "compare" }, said));
  }

  // Filter by words of the name and by verdict.
  const input = set(make("input", { type: "search", placeholder: "Filter by name" }), { "aria-label": "Filter by name" });
  const shown = set(make("output"), { "aria-live": "polite" });
  const chosen = new Set();
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { row, text, word } of rows) {
      row.hidden = !words.every((part) => text.includes(part)) || (chosen.size > 0 && !chosen.has(word));
      if (row.nextElementSibling?.matches(".open")) row.nextElementSibling.hidden = row.hidden;
      count += !row.hidden;
    }
    for (const group of groups) {
      const empty = group.map((body) => [...body.rows].every((row) => row.hidden || row.matches(".group")));
      // The first body has the title of all.
      group.forEach((body, at) => { body.hidden = at === 0 ? empty.every(Boolean) : empty[at]; });
    }
    shown.textContent = count === rows.length ? `${count} ${count === 1 ? "row" : "rows"}` : `${count} of ${rows.length} rows; filters hide the others`;
  };
  input.addEventListener("input", filter);
  const words = new Set(rows.map(({ word }) => word));
  const buttons = ["slower", "faster", "unclear", "same", "failed", "skipped", "not measured"].filter((word) => words.has(word)).map((word) => {
    const button = set(make("button", { type: "button", textContent: word }), { "aria-pressed": "false" });
    button.addEventListener("click", () => {
      const wanted = !chosen.has(word);
      chosen[wanted ? "add" : "delete"](word);
      button.setAttribute("aria-pressed", wanted);
      filter();
    });
    return button;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input")) return;
    event.preventDefault();
    input.focus();
  });

  // Columns are shown or not by a rule, however many rows there are.
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];
  const states = heads.map((head) => !head.matches(".more"));
  const columns = make("div");
  const fixed = heads[1]?.matches(".plot") ? 2 : 1;
  const rules = () => {
    sheet.replaceSync(states.map((on, at) =>
      on === !heads[at].matches(".more") ? "" : `.cases>*>tr:not(.group,.open)>:nth-child(${at + 1}){display:${on ? "revert" : "none"}!important}.large{--w${at}:${on ? `var(--c${at})` : " "}!important}`).join("")
      + `.large{min-width:calc(${fixed > 1 ? 330 : 190}px${heads.map((_, at) => at >= fixed && states[at] ? ` + var(--c${at})` : "").join("")})!important}`);
    fit();
  };
  // A table that is wider than the page scrolls in itself, below its titles and beside its names.
  const scroll = table.parentNode;
  const fit = () => {
    scroll.classList.remove("over", "fits");
    scroll.classList.add(scroll.scrollWidth > scroll.clientWidth + 1 ? "over" : "fits");
  };
  addEventListener("resize", fit);
  const boxes = heads.map((head, at) => {
    if (at === 0) return null;
    const box = make("input", { type: "checkbox", checked: states[at] });
    box.addEventListener("change", () => { states[at] = box.checked; rules(); });
    columns.append(make("label", {}, box, ` ${head.textContent}`));
    return box;
  });
  const menu = make("details", { className: "menu" }, make("summary", { textContent: "Columns" }), columns);
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { menu.open = false; menu.firstChild.focus(); }
  });

  // A click on a title sorts within the groups, a second one the other way round, a third one as it was.
  const order = new Intl.Collator(undefined, { numeric: true });
  const valueOf = (row, at) => {
    const cell = row.cells[at];
    return cell?.dataset.v === undefined ? cell?.textContent ?? "" : Number(cell.dataset.v);
  };
  // What has no number stands last in both directions.
  const rank = (value) => typeof value === "number" ? 0 : value === "" ? 2 : 1;
  const compare = (a, b) => typeof a === "number" ? a - b : order.compare(a, b);
  const ratio = heads.findIndex((head) => head.textContent.startsWith("ratio"));
  const time = heads.findIndex((head) => head.textContent.startsWith("time"));
  const sort = (at, direction) => {
    heads.forEach((head, other) => head.matches("[aria-sort]") && head.setAttribute("aria-sort", other === at ? direction : "none"));
    // The dots are sorted by what they show.
    const by = heads[at].matches(".plot") ? (ratio > 0 ? ratio : time) : at;
    const sign = direction === "descending" ? -1 : 1;
    for (const group of groups) {
      const own = rows.filter((found) => found.group === group);
      const keyed = own.map((found) => [direction === "none" ? found.place : valueOf(found.row, by), found]);
      keyed.sort(([a, x], [b, y]) => rank(a) - rank(b) || sign * compare(a, b) || x.place - y.place);
      const sorted = keyed.map(([, { row }]) => row);
      for (const body of group) {
        const part = sorted.splice(0, sizes.get(body)).flatMap((row) => {
          const below = row.nextElementSibling;
          return below?.matches(".open") ? [row, below] : [row];
        });
        body.append(...part);
      }
    }
    filter();
  };
  const choices = set(make("select", { className: "sort" }, make("option", { value: "0 none", textContent: "Not sorted" })), { "aria-label": "Sort" });
  heads.forEach((head, at) => {
    if (head.querySelector(".hidden")) return;
    // No button: browsers leave those out where they repeat the titles on paper.
    const button = set(make("span", {}, ...head.childNodes), { role: "button", tabindex: 0 });
    const turn = () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      sort(at, next[head.getAttribute("aria-sort")]);
    };
    button.addEventListener("click", turn);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      turn();
    });
    head.append(button);
    head.setAttribute("aria-sort", "none");
    if (head.matches(".plot,.more")) return;
    for (const [direction, sign] of [["ascending", "↑"], ["descending", "↓"]]) {
      choices.append(make("option", { value: `${at} ${direction}`, textContent: `${button.textContent} ${sign}` }));
    }
  });
  // On a narrow screen there are no titles to click on.
  choices.addEventListener("change", () => {
    const [at, direction] = choices.value.split(" ");
    sort(Number(at), direction);
  });

  // All benchmarks of two runs, what became slower first.
  if (runs.length > 1) {
    const at = heads.findIndex((head) => head.textContent === "between two runs");
    const series = rows.map(({ row }) => seriesOf(row));
    const pick = (chosen, label) => set(make("select", {}, ...runs.map(([text], value) => make("option", { value, textContent: text, selected: value === chosen }))), { "aria-label": label });
    const ends = [pick(1, "From run"), pick(0, "To run")];
    const said = set(make("output"), { "aria-live": "polite" });
    const compareRuns = () => {
      const [from, to] = ends.map(({ value }) => Number(value));
      const found = series.map((values) => values[from] && values[to] && ratioOf(values[from], values[to]));
      found.forEach((one, place) => {
        const cell = rows[place].row.cells[at];
        cell.textContent = one ? textOf(one) : "";
        if (one) cell.dataset.v = one[0];
        else delete cell.dataset.v;
      });
      const both = found.filter(Boolean);
      const mean = Math.exp(both.reduce((sum, [ratio]) => sum + Math.log(ratio), 0) / both.length);
      said.replaceChildren(...(both.length ? [
        `Geometric mean of ${both.length} ratios: ${mean.toFixed(3)}; intervals above 1: ${both.filter(([, lower]) => lower > 1).length}, below: ${both.filter(([, , upper]) => upper < 1).length}`,
        ...commitsOf(runs[from][1], runs[to][1]),
      ] : ["No benchmark has a value in both."]));
      states[at] = boxes[at].checked = true;
      rules();
      sort(at, "descending");
    };
    for (const select of ends) select.addEventListener("change", compareRuns);
    table.parentNode.before(make("p", { className: "compare" }, "Compare ", ends[0], " to ", ends[1], " ", said));
  }

  table.parentNode.before(make("div", { className: "tools" }, input, ...buttons, choices, menu, shown));
  filter();
  fit();
  if (location.hash.length > 1) show(decodeURIComponent(location.hash.slice(1)));
})();
