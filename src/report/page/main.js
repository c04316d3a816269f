// Puts the page together from its data: verdict, reasons, execution, output, command.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  let finding = null;
  let now = 0;

  const source = new Source(find("source"), find("tabs"), data.sources, (step) => select(step));
  const lanes = new Lanes(find("lanes"), (step) => select(step));

  function select(step) {
    now = Math.max(0, Math.min(step, finding.steps.length - 1));
    source.now = now;
    const shown = finding.steps[now];
    lanes.point(now);
    source.point(shown, shown.rf >= 0 ? finding.steps[shown.rf] : undefined);
    showValues(find("values"), finding, now, select);
    find("slider").value = now;
    find("slider").setAttribute("aria-valuetext", `step ${now + 1}: ${fullText(shown)}`);
    find("count").textContent = `${now + 1} of ${finding.steps.length}`;
    find("first").disabled = find("previous").disabled = now === 0;
    find("last").disabled = find("next").disabled = now === finding.steps.length - 1;
    showDetail(shown);
  }

  function showDetail(step) {
    const thread = finding.threads[step.thread];
    const file = step.file >= 0 ? data.sources[step.file].path : "";
    const where = step.line > 0 ? ` ${file}:${step.line}` : "";
    const inside = step.calls ? `, ${step.calls}` : step.function ? ` in ${step.function}` : "";
    const bad = step.kind === "failure" || (step.waiting && finding.stuck);
    const text = step.kind === "failure" ? `✗ ${finding.message}` : fullText(step);
    const notes = [];
    if (step.waiting) notes.push(step.waiting);
    if (step.synchronises === true) notes.push("synchronises with the write");
    if (step.synchronises === false) notes.push("does not synchronise with the write: orders nothing else");
    find("detail").replaceChildren(
      make("span", { class: bad ? "bad" : "" }, text),
      make("span", { class: "who" }, `  — ${thread.name}${where}${inside}`),
      notes.length > 0 ? make("span", { class: "note" }, `; ${notes.join("; ")}`) : "");
  }

  function placeButton(place) {
    if (place.file < 0) return make("span", {}, place.text || "an unknown place");
    return make("button", { type: "button", onclick: () => source.point(place) }, place.text);
  }

  function calls(place) { return place.calls ? ` (${place.calls})` : ""; }

  function showSummary() {
    const parts = [];
    const { at, other } = finding;
    parts.push(make("p", { class: "place" }, placeButton(at), make("span", { class: "what" }, (at.thread ? ` by ${at.thread}` : "") + calls(at))));
    if (other) {
      parts.push(make("p", { class: "place" }, placeButton(other), make("span", { class: "what" },
        ` ${finding.kind === "race" ? "the other access" : "the other place"}${other.thread ? `, by ${other.thread}` : ""}${calls(other)}`)));
    }
    if (finding.fix) parts.push(make("div", { class: "fix" }, make("b", {}, "Fix"), make("p", {}, finding.fix)));
    if (finding.why.length > 0) {
      parts.push(make("div", { class: "why" }, make("b", {}, "Why"), make("ul", {}, ...finding.why.map((text) => make("li", {}, text)))));
    }
    find("summary").replaceChildren(...notices(), ...parts);
  }

  function notices() {
    const texts = [...data.warnings, ...data.limits, ...data.suppressed.map((text) => `suppressed: ${text}`)];
    return texts.map((text) => make("p", { class: "notice" }, text));
  }

  function showMore() {
    const parts = [];
    if (finding && finding.output) {
      parts.push(make("div", { class: "panel" }, make("div", { class: "bar" }, make("h2", {}, "The program printed")),
        make("pre", { id: "output", tabindex: "0" }, finding.output)));
    }
    if (data.command) {
      const copy = make("button", { type: "button", onclick: () => {
        navigator.clipboard?.writeText(data.command).then(() => { copy.textContent = "copied"; }, () => {});
      } }, "copy");
      parts.push(make("div", { class: "panel" }, make("div", { class: "bar" }, make("h2", {}, "To run it again")),
        make("div", { class: "command" }, make("code", { id: "command" }, data.command), copy)));
    }
    find("more").replaceChildren(...parts);
  }

  function open(number) {
    finding = data.findings[number];
    const { title, message } = finding;
    find("headline").textContent = message.startsWith(title) ? message : `${title}: ${message}`;
    find("headline").classList.toggle("long", message.length > 80);
    [...find("findings").children].forEach((button, i) => button.setAttribute("aria-current", i === number));
    showSummary();
    showMore();
    find("execution").hidden = finding.steps.length === 0;
    if (finding.steps.length === 0) return;
    find("execution").classList.toggle("wide", finding.threads.length > 4);
    find("slider").max = finding.steps.length - 1;
    if (finding.left_out > 0) {
      find("summary").append(make("p", { class: "notice" }, `The first ${finding.left_out} steps of this execution are left out.`));
    }
    source.open(finding);
    lanes.open(finding);
    showToggles();
    select(finding.steps.length - 1);
  }

  function showToggles() {
    find("toggles").replaceChildren(...RELATIONS.filter(([name]) => finding.edges[name].length > 0).map(([name, meaning]) => {
      const button = make("button", { type: "button", class: name, "data-relation": name, title: `${meaning} (${name[0]})`,
        "aria-pressed": String(lanes.shown.has(name)), "aria-label": `${name}: ${meaning}`,
        onclick: () => button.setAttribute("aria-pressed", String(lanes.toggle(name))) }, name);
      return button;
    }));
  }

  function seconds(s) { return s < 10 ? `${s.toFixed(2)} s` : `${s.toFixed(0)} s`; }

  function showHead() {
    document.title = `${data.files.join(" ")}: ${data.verdict}`;
    find("badge").textContent = data.verdict;
    find("badge").className = `badge ${data.verdict}`;
    find("program").textContent = data.files.join(" ");
    find("headline").textContent = data.headline || (data.verdict === "failed" ? "There is no verdict." : "");
    const facts = [`model ${data.model}`, `algorithm ${data.algorithm}`];
    if (data.executions !== undefined) {
      const count = `${data.executions} complete execution${data.executions === 1 ? "" : "s"}`;
      facts.push(`${data.verdict === "error" ? `${count} without error` : count}, ${seconds(data.seconds.total)}`);
    }
    find("facts").textContent = facts.join(" · ");
    find("footer").replaceChildren(`heddle ${data.version}`);
    if (data.findings.length > 0) {
      find("footer").append(" · ", make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " step, ", make("kbd", {}, "Home"), " ", make("kbd", {}, "End"),
        " first and last, ", ...RELATIONS.flatMap(([name]) => [make("kbd", {}, name[0]), " "]), "arrows on and off, ", make("kbd", {}, "t"), " light or dark");
    }
    if (data.findings.length > 1) {
      find("findings").hidden = false;
      find("findings").replaceChildren(...data.findings.map((f, i) =>
        make("button", { type: "button", onclick: () => open(i) }, `${i + 1} ${f.title}: ${f.at.text || f.message}`)));
    }
  }

  function showCounts() {
    const counts = [["executions", data.executions], ["blocked", data.blocked], ["duplicates", data.duplicates], ["events", data.events]]
      .filter(([name, n]) => n !== undefined && (n > 0 || name === "executions"))
      .map(([name, n]) => make("div", {}, make("dt", {}, name), make("dd", {}, n.toLocaleString("en"))));
    if (data.seconds) counts.push(make("div", {}, make("dt", {}, "time"), make("dd", {}, seconds(data.seconds.total))));
    find("summary").replaceChildren(...notices(), make("dl", { class: "counts" }, ...counts));
    showMore();
  }

  function switchTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("heddle-theme", root.dataset.theme); } catch { /* not from a file, perhaps */ }
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "t") return switchTheme();
    if (!finding || finding.steps.length === 0) return;
    const inLanes = find("lanes").contains(event.target);
    const onSlider = event.target === find("slider");
    const steps = { ArrowRight: now + 1, ArrowLeft: now - 1, j: now + 1, k: now - 1, Home: 0, End: finding.steps.length - 1 };
    if (inLanes) Object.assign(steps, { ArrowDown: now + 1, ArrowUp: now - 1 });
    if (event.key in steps && !(onSlider && event.key.length > 1)) {
      event.preventDefault();
      return select(steps[event.key]);
    }
    const toggle = find("toggles").querySelector(`[title$="(${CSS.escape(event.key)})"]`);
    if (toggle && event.key.length === 1) toggle.click();
  }

  try {
    const theme = localStorage.getItem("heddle-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* not from a file, perhaps */ }

  find("page").hidden = false;
  showHead();
  find("theme").addEventListener("click", switchTheme);
  document.addEventListener("keydown", onKey);
  find("slider").addEventListener("input", () => select(Number(find("slider").value)));
  find("first").addEventListener("click", () => select(0));
  find("previous").addEventListener("click", () => select(now - 1));
  find("next").addEventListener("click", () => select(now + 1));
  find("last").addEventListener("click", () => select(finding.steps.length - 1));
  if (data.findings.length > 0) open(0);
  else showCounts();

  let width = innerWidth;
  addEventListener("resize", () => {
    if (!finding || finding.steps.length === 0 || innerWidth === width) return;
    width = innerWidth;
    lanes.draw();
    select(now);
  });
})();
