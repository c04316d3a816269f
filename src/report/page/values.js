"use strict";
// Helpers that the other files share, and the table of values.

// An element with attributes and children. Text stays text: nothing of the program is ever read as HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

function fullText(step) {
  return [step.what, step.on, step.from].filter((part) => part).join(" ");
}

// What is known of each place after step `now`: the latest write, and what each thread has read or written there.
// Writes are compared in coherence order if the model has one, else in the order of the steps.
function valuesAfter(finding, now) {
  const places = finding.locations.map((location) => ({
    latest: { value: location.initial, rank: 0, step: -1 },
    seen: finding.threads.map(() => null),
  }));
  const rankOf = (index) => (index < 0 ? 0 : finding.steps[index].co ?? index + 1);
  finding.steps.slice(0, now + 1).forEach((step, index) => {
    const place = places[step.location];
    if (!place) return;
    if (step.read !== undefined) {
      // -2: a write before the part of the execution that the page has.
      place.seen[step.thread] = { value: step.read, rank: step.rf === -2 ? undefined : rankOf(step.rf), step: index };
    }
    if (step.written !== undefined) {
      const write = { value: step.written, rank: rankOf(index), step: index };
      place.seen[step.thread] = write;
      if (write.rank > place.latest.rank) place.latest = write;
    }
  });
  return places;
}

function showValues(container, finding, now, select) {
  const places = valuesAfter(finding, now);
  if (places.length === 0) {
    container.replaceChildren(make("p", { class: "hint", style: "padding: 8px 12px" }, "No shared place is used in this execution."));
    return;
  }
  const cell = (entry, extra, hint) => {
    if (!entry || entry.value === undefined) return make("td", { class: "none" }, entry ? "initial" : "–");
    const mark = entry.step === now ? " changed" : "";
    const text = entry.step < 0 ? "initial" : `step ${entry.step + 1}: ${fullText(finding.steps[entry.step])}`;
    return make("td", { class: extra + mark },
      entry.step < 0 ? entry.value
        : make("button", { type: "button", title: text + hint, onclick: () => select(entry.step) }, entry.value));
  };
  const rows = finding.locations.map((location, i) => {
    const { latest, seen } = places[i];
    return make("tr", {},
      make("th", { scope: "row", title: location.name }, location.name),
      cell(latest, "latest", ""),
      ...seen.map((entry) => {
        const stale = entry && entry.rank !== undefined && entry.rank < latest.rank;
        return cell(entry, stale ? "stale" : "", stale ? `; the latest write is of step ${latest.step + 1}` : "");
      }));
  });
  container.replaceChildren(make("table", {},
    make("thead", {}, make("tr", {},
      make("th", { scope: "col" }, "place"), make("th", { scope: "col" }, "latest"),
      ...finding.threads.map((thread) => make("th", { scope: "col", title: thread.function }, thread.name)))),
    make("tbody", {}, ...rows)));
}
