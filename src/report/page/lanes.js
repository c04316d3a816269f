// The execution as a picture: a lane for each thread, a row for each step, and the relations as arrows.

const RELATIONS = [
  ["po", "program order", true],
  ["rf", "reads-from: from a write to its readers", true],
  ["co", "coherence: from a write to the next one of the same place", false],
  ["fr", "from-reads: from a read to the next write of the place, which it has not seen", false],
  ["hb", "happens-before between threads; what follows from the arrows shown is left out", false],
];
const GUTTER = 34;       // for the numbers of the steps
const HEAD = 40;         // for the names of the threads
const CHARACTER = 6.95;  // width of one in a box

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function shortened(text, characters) {
  return text.length <= characters ? text : text.slice(0, Math.max(characters - 1, 1)) + "…";
}

// The value at the end says more than the whole name.
function shortenedAccess(text, characters) {
  const at = text.search(/ = |: /);
  if (text.length <= characters || at < 0 || text.length - at > characters - 4) return shortened(text, characters);
  return shortened(text.slice(0, at), characters - (text.length - at)) + text.slice(at);
}

class Lanes {
  constructor(container, select) {
    this.container = container;
    this.select = select;
    this.shown = new Set(RELATIONS.filter(([, , on]) => on).map(([name]) => name));
  }

  open(finding) {
    this.finding = finding;
    this.draw();
  }

  draw() {
    const { finding } = this;
    const lanes = finding.threads.length;
    const room = this.container.clientWidth - GUTTER - 4;
    this.lane = Math.max(128, Math.min(300, Math.floor(room / lanes)));
    this.margin = this.lane < 170 ? 11 : 20;
    this.width = GUTTER + this.lane * lanes + 4;
    this.layRows();
    const picture = svg("svg", { width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}`, role: "group", "aria-label": "steps" });
    this.rows = this.boxes.map((box, i) => this.rowElement(box, i));
    const grid = finding.threads.map((thread, t) => svg("g", {},
      svg("line", { class: "lane", x1: this.centre(t), x2: this.centre(t), y1: HEAD, y2: this.height }),
      svg("text", { class: "head", x: this.centre(t), y: 18 }, shortened(`${thread.name} ${thread.function}`, this.lane / 7))));
    this.steps = finding.steps.map((step, i) => this.stepElement(step, i));
    this.edges = [];
    const groups = RELATIONS.map(([name]) => {
      const group = svg("g", { class: `relation ${name}` });
      for (const [from, to] of finding.edges[name]) group.append(this.edgeElement(name, from, to));
      return group;
    });
    this.groups = groups;
    picture.append(...this.rows, ...grid, ...groups, ...this.steps);
    const heads = make("div", { class: "lane-heads", "aria-hidden": "true" }, make("div", { style: `width: ${GUTTER}px` }),
      ...finding.threads.map((thread) => make("div", { style: `width: ${this.lane}px`, title: `${thread.name} ${thread.function}` },
        make("b", {}, thread.name), make("span", {}, thread.function === thread.name ? "" : thread.function))));
    this.container.replaceChildren(heads, picture);
    this.applyShown();
  }

  centre(thread) { return GUTTER + this.lane * thread + this.lane / 2; }

  // One line for a step where it fits, else two.
  layRows() {
    const characters = Math.floor((this.lane - 2 * this.margin - 14) / CHARACTER);
    const withNumber = this.lane >= 170;
    let top = HEAD + 10;
    this.boxes = this.finding.steps.map((step) => {
      const number = withNumber && step.line > 0 && step.kind !== "end" ? 4 : 0;
      const all = [step.what, step.on].filter((part) => part).join(" ");
      const lines = all.length + number <= characters || !step.on ? [shortened(all, characters - number)]
        : [shortened(step.what, characters - number), shortenedAccess(step.on, characters)];
      if (step.waiting) lines.push(shortened(step.waiting, characters));
      const box = { top, height: 10 + 14 * lines.length, lines, left: this.centre(step.thread) - this.lane / 2 + this.margin, width: this.lane - 2 * this.margin, number: number > 0 };
      top += box.height + (step.kind === "end" ? 8 : 11);
      return box;
    });
    this.height = top + 6;
  }

  rowElement(box, i) {
    const row = svg("g", { class: "row", "aria-hidden": "true" },
      svg("rect", { x: 0, y: box.top - 4, width: this.width, height: box.height + 8 }),
      svg("text", { class: "number", x: GUTTER - 10, y: box.top + 16 }, String(i + 1)));
    row.addEventListener("click", () => this.select(i));
    return row;
  }

  stepElement(step, i) {
    const box = this.boxes[i];
    const where = step.line > 0 ? `, line ${step.line}` : "";
    const text = `step ${i + 1}, ${this.finding.threads[step.thread].name}${where}: ${fullText(step)}${step.waiting ? `; ${step.waiting}` : ""}`;
    const element = svg("g", { class: `step ${step.kind}${step.waiting && this.finding.stuck ? " blocked" : ""}`, role: "button", tabindex: "-1", "aria-label": text, "data-step": i },
      svg("title", {}, text),
      svg("rect", { x: box.left, y: box.top, width: box.width, height: box.height, rx: 5 }),
      ...box.lines.map((line, n) => svg("text", { x: box.left + 8, y: box.top + 16 + 14 * n }, line)));
    if (box.number) element.append(svg("text", { class: "line-number", x: box.left + box.width - 6, y: box.top + 15 }, String(step.line)));
    element.addEventListener("click", () => this.select(i));
    return element;
  }

  edgeElement(name, from, to) {
    const a = this.boxes[from];
    const b = this.boxes[to];
    const { path, head } = name === "po" ? this.straight(a, b) : this.curve(name, a, b);
    const element = svg("g", { class: `edge-group ${name}`, "data-from": from, "data-to": to },
      svg("title", {}, `${name}: step ${from + 1} → step ${to + 1}`),
      svg("path", { class: `edge ${name}`, d: path }), svg("path", { class: "arrow", d: head }));
    this.edges.push({ name, from, to, element });
    return element;
  }

  straight(a, b) {
    const x = a.left + a.width / 2;
    return { path: `M${x} ${a.top + a.height}V${b.top - 4}`, head: `M${x} ${b.top}l-3 -6h6z` };
  }

  // From the side of one box to the side of the other. Relations leave a box at heights of their own.
  curve(name, a, b) {
    const shift = { rf: -3, co: 2, fr: 5, hb: 0 }[name];
    const ya = a.top + a.height / 2 + shift;
    const yb = b.top + b.height / 2 + shift;
    const side = (x, direction) => `M${x} ${yb}l${7 * direction} -3.5v7z`;
    if (a.left === b.left) {  // one lane: round the right side
      const x = a.left + a.width;
      const bulge = x + this.margin * 1.2 + Math.min(10, Math.abs(yb - ya) / 40);
      return { path: `M${x} ${ya}C${bulge} ${ya} ${bulge} ${yb} ${x + 6} ${yb}`, head: side(x, 1) };
    }
    const right = b.left > a.left;
    const xa = right ? a.left + a.width : a.left;
    const xb = right ? b.left : b.left + b.width;
    const end = right ? xb - 6 : xb + 6;
    const bend = Math.max(18, Math.min(70, Math.abs(end - xa) / 2)) * (right ? 1 : -1);
    return { path: `M${xa} ${ya}C${xa + bend} ${ya} ${end - bend} ${yb} ${end} ${yb}`, head: side(xb, right ? -1 : 1) };
  }

  toggle(name) {
    if (!this.shown.delete(name)) this.shown.add(name);
    this.applyShown();
    return this.shown.has(name);
  }
  applyShown() {
    this.groups.forEach((group, i) => group.classList.toggle("hidden", !this.shown.has(RELATIONS[i][0])));
  }

  // Everything after step `now` fades; its own arrows and partners stand out.
  point(now) {
    const step = this.finding.steps[now];
    const partners = new Set();
    if (step.rf >= 0) partners.add(step.rf);
    for (const { name, from, to } of this.edges) if (name === "rf" && from === now) partners.add(to);
    this.steps.forEach((element, i) => {
      element.classList.toggle("future", i > now);
      element.classList.toggle("current", i === now);
      element.classList.toggle("partner", partners.has(i));
      this.rows[i].classList.toggle("current", i === now);
    });
    for (const { name, from, to, element } of this.edges) {
      const hot = name !== "po" && (from === now || to === now) && Math.max(from, to) <= now;
      const path = element.querySelector(".edge");
      path.classList.toggle("hot", hot);
      path.classList.toggle("future", Math.max(from, to) > now);
      element.querySelector(".arrow").classList.toggle("future", Math.max(from, to) > now);
      if (hot) element.parentNode.append(element);
    }
    const shown = this.steps[now];
    this.revealStep(shown);
  }

  revealStep(element) {
    const { container } = this;
    const box = container.getBoundingClientRect();
    const at = element.querySelector("rect").getBoundingClientRect();
    if (at.top < box.top + HEAD + 10) container.scrollTop -= box.top + HEAD + 30 - at.top;
    else if (at.bottom > box.bottom - 20) container.scrollTop += at.bottom - box.bottom + 40;
    if (at.left < box.left + 4) container.scrollLeft -= box.left + 24 - at.left;
    else if (at.right > box.right - 4) container.scrollLeft += at.right - box.right + 24;
  }
}
