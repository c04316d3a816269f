// The source: the files that the execution touches, with its lines marked.

const KEYWORDS = new Set(("alignas alignof auto bool break case catch char class co_await const consteval constexpr continue " +
  "decltype default delete do double else enum explicit extern false final float for friend goto if inline int long mutable " +
  "namespace new noexcept nullptr operator override private protected public register return short signed sizeof static " +
  "static_assert struct switch template this throw true try typedef typename union unsigned using virtual void volatile while " +
  "_Atomic _Bool _Thread_local thread_local NULL").split(" "));
const TOKEN = /\/\/.*$|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|[^A-Za-z_"'/]+|./g;

// One line as coloured pieces. `state.comment`: whether a comment goes on from the line before.
function colouredLine(text, state) {
  const pieces = [];
  const add = (kind, piece) => pieces.push(kind ? make("span", { class: kind }, piece) : piece);
  let rest = text;
  if (state.comment) {
    const end = rest.indexOf("*/");
    if (end < 0) return [make("span", { class: "tok-c" }, text)];
    add("tok-c", rest.slice(0, end + 2));
    rest = rest.slice(end + 2);
    state.comment = false;
  }
  if (/^\s*#/.test(rest) && pieces.length === 0) {
    const name = rest.match(/^\s*#\s*\w*/)[0];
    add("tok-k", name);
    rest = rest.slice(name.length);
  }
  for (const [piece] of rest.matchAll(TOKEN)) {
    if (piece.startsWith("//") || piece.startsWith("/*")) {
      add("tok-c", piece);
      state.comment = piece.startsWith("/*") && (piece.length < 4 || !piece.endsWith("*/"));
    } else if (piece[0] === '"' || piece[0] === "'") add("tok-s", piece);
    else add(KEYWORDS.has(piece) ? "tok-k" : "", piece);
  }
  return pieces;
}

// Scrolls inside of a panel only, never the page.
function reveal(panel, element) {
  const box = panel.getBoundingClientRect();
  const at = element.getBoundingClientRect();
  const margin = Math.min(70, box.height / 4);
  if (at.top < box.top + margin) panel.scrollTop -= box.top + margin - at.top;
  else if (at.bottom > box.bottom - margin) panel.scrollTop += at.bottom - box.bottom + margin;
  if (at.width <= box.width) {
    if (at.left < box.left) panel.scrollLeft -= box.left - at.left + 20;
    else if (at.right > box.right) panel.scrollLeft += at.right - box.right + 20;
  }
}

class Source {
  constructor(panel, tabs, sources, select) {
    this.panel = panel;
    this.tabs = tabs;
    this.sources = sources;
    this.select = select;
  }

  // Shows the files of one finding.
  open(finding) {
    this.finding = finding;
    this.lines = new Map();  // "file:line" to its element
    this.files = this.sources.map((file, f) => this.fileElement(file, f));
    this.panel.replaceChildren(...this.files);
    const used = new Set(finding.steps.map((step) => step.file).concat(finding.at.file, finding.other?.file ?? -1));
    this.buttons = this.sources.map((file, f) => make("button",
      { type: "button", title: file.path, onclick: () => this.show(f) }, file.path.split("/").pop()));
    this.tabs.replaceChildren(...this.buttons.filter((_, f) => used.has(f)));
    this.mark();
    this.show(Math.max(finding.at.file, 0));
  }

  fileElement(file, f) {
    const rows = [];
    let last = 0;
    for (const part of file.parts) {
      if (part.from > last + 1) rows.push(make("div", { class: "gap" }, `${part.from - last - 1} lines left out`));
      const state = { comment: false };
      part.lines.forEach((text, i) => {
        const number = part.from + i;
        const row = make("div", { class: "line" }, make("span", { class: "no" }, String(number)),
          make("code", {}, ...colouredLine(text, state)));
        row.addEventListener("click", () => this.clicked(f, number));
        this.lines.set(`${f}:${number}`, row);
        rows.push(row);
      });
      last = part.from + part.lines.length - 1;
    }
    if (rows.length === 0) rows.push(make("div", { class: "gap" }, "the file could not be read"));
    return make("div", { class: "file", "data-path": file.path, hidden: true }, ...rows);
  }

  mark() {
    const users = new Map();
    for (const step of this.finding.steps) {
      const key = `${step.file}:${step.line}`;
      if (!users.has(key)) users.set(key, new Set());
      users.get(key).add(this.finding.threads[step.thread].name);
    }
    const { at, other } = this.finding;
    if (other) {
      const key = `${other.file}:${other.line}`;
      if (!users.has(key)) users.set(key, new Set());
      if (other.thread) users.get(key).add(other.thread);
      this.lines.get(key)?.classList.add("other");
    }
    this.lines.get(`${at.file}:${at.line}`)?.classList.add("bad");
    for (const [key, threads] of users) {
      const row = this.lines.get(key);
      if (!row) continue;
      row.classList.add("used");
      const names = [...threads].join(" ");
      row.append(make("span", { class: "chips", title: names }, threads.size > 3 ? `${threads.size} threads` : names));
    }
  }

  show(f) {
    this.files.forEach((file, i) => { file.hidden = i !== f; });
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === f));
  }

  // The line of a step, and that of the write it has read.
  point(step, partner) {
    for (const row of this.panel.querySelectorAll(".current, .partner")) row.classList.remove("current", "partner");
    if (partner) this.lines.get(`${partner.file}:${partner.line}`)?.classList.add("partner");
    const row = this.lines.get(`${step.file}:${step.line}`);
    if (!row) return;
    row.classList.remove("partner");
    row.classList.add("current");
    this.show(step.file);
    reveal(this.panel, row);
  }

  // The next step on that line, round and round.
  clicked(f, number) {
    const here = this.finding.steps.map((step, i) => i).filter((i) =>
      this.finding.steps[i].file === f && this.finding.steps[i].line === number);
    if (here.length > 0) this.select(here.find((i) => i > this.now) ?? here[0]);
  }
}
