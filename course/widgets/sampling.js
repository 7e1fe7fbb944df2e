// The sampling demos: one distribution, a few knobs, and what they leave. All numbers are made here,
// so that a slider moves the bars without asking the kernel, and without a kernel at all.

// ---- arithmetic, which tests compare with Python's ----

export function softmax(scores) {
  const top = Math.max(...scores);
  const weights = scores.map((z) => Math.exp(z - top));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
}

export function entropy(p) { // in nats
  return p.reduce((h, x) => (x > 0 ? h - x * Math.log(x) : h), 0);
}

export function ranking(scores) { // places in falling order
  return scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
}

const remove = (scores, stays) => scores.map((z, i) => (stays(z, i) ? z : -Infinity));

function topK(scores, k) {
  const kept = new Set(ranking(scores).slice(0, k));
  return remove(scores, (_, i) => kept.has(i));
}

function topP(scores, p) {
  const likely = softmax(scores), kept = new Set();
  let mass = 0;
  for (const i of ranking(scores)) {
    kept.add(i);
    mass += likely[i];
    if (mass >= p) break; // the token that crosses p is in
  }
  return remove(scores, (_, i) => kept.has(i));
}

function minP(scores, p) {
  const likely = softmax(scores), least = p * Math.max(...likely);
  return remove(scores, (_, i) => likely[i] >= least);
}

// Temperature, top-k, top-p, min-p; `late` puts the temperature last. k = 0, p = 1, min_p = 0: off.
export function reshape(logits, { t = 1, k = 0, p = 1, min_p = 0, late = false }) {
  const heat = (scores) => scores.map((z) => z / t);
  const offered = late ? logits : heat(logits); // what the cuts look at
  let left = offered;
  if (k > 0) left = topK(left, k);
  if (p < 1) left = topP(left, p);
  if (min_p > 0) left = minP(left, min_p);
  const before = softmax(offered), after = softmax(late ? heat(left) : left);
  const kept = left.map((z) => z > -Infinity);
  return {
    plain: softmax(logits), before, after, kept,
    count: kept.filter(Boolean).length,
    mass: before.reduce((sum, x, i) => (kept[i] ? sum + x : sum), 0),
    entropy_before: entropy(before), entropy_after: entropy(after),
  };
}

// "the 3, a 1" or "0.5 0.3 0.2": weights, made to sum to 1; "scores 2 1 0": scores as they are.
export function parse(text) {
  const words = text.trim().split(/[\s,;]+/).filter(Boolean);
  const scores = /^scores:?$/i.test(words[0] ?? "");
  if (scores) words.shift();
  const tokens = [], numbers = [];
  let name = null;
  for (const word of words) {
    const value = Number(word);
    if (Number.isFinite(value)) {
      tokens.push(name ?? String(numbers.length));
      numbers.push(value);
      name = null;
    } else if (name === null) name = word;
    else return { error: `a number is missing after “${name}”` };
  }
  if (name !== null) return { error: `a number is missing after “${name}”` };
  if (numbers.length < 2) return { error: "two numbers or more make a distribution" };
  if (scores) return { tokens, logits: numbers };
  if (Math.min(...numbers) < 0) return { error: "a weight is below 0; write “scores 2 1 -1”" };
  if (!numbers.some((x) => x > 0)) return { error: "all weights are 0" };
  return { tokens, logits: numbers.map((x) => Math.log(x)) };
}

export function random(seed) { // mulberry32: the same draws for the same seed
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

export function draw(p, n, seed) { // how often each token came
  const next = random(seed), counts = p.map(() => 0);
  const last = p.findLastIndex((x) => x > 0);
  for (let j = 0; j < n; j++) {
    let u = next(), i = 0;
    while (i < last && u >= p[i]) u -= p[i++];
    counts[i]++;
  }
  return counts;
}

// ---- what is shown ----

const STYLE = `
.sampling-demo { color: var(--jp-ui-font-color1, inherit); font-size: 13px; max-width: 46em; }
.sampling-demo table { border-collapse: collapse; width: 100%; }
.sampling-demo caption { text-align: left; padding: 4px 0; }
.sampling-demo :is(th, td) { padding: 1px 6px; font-weight: normal; text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; background: none; border: 0; }
.sampling-demo thead th { font-size: 11px; opacity: 0.8; }
.sampling-demo tbody th { font-family: var(--jp-code-font-family, monospace); max-width: 11em;
  overflow: hidden; text-overflow: ellipsis; }
.sampling-demo td.bars { width: 55%; position: relative; height: 17px; padding: 0; }
.sampling-demo td.bars div { position: absolute; left: 0; box-sizing: border-box; }
.sampling-demo .share { top: 2px; height: 9px; }
.sampling-demo .kept .share { background: #0072b2; }
.sampling-demo .dropped .share { border: 1px dashed currentColor; opacity: 0.75;
  background: repeating-linear-gradient(45deg, currentColor 0 1px, transparent 1px 5px); }
.sampling-demo .plain { top: 0; height: 13px; width: 0; border-right: 2px solid currentColor; }
.sampling-demo .drawn { top: 12px; height: 4px; background: #d55e00; }
.sampling-demo .dropped th { text-decoration: line-through; }
.sampling-demo button { margin: 4px 8px 4px 0; padding: 2px 10px; font: inherit; color: inherit;
  background: transparent; border: 1px solid currentColor; border-radius: 3px; cursor: pointer; }
.sampling-demo button:focus-visible { outline: 3px solid #0072b2; outline-offset: 1px; }
.sampling-demo .problem { min-height: 1.2em; }
`;

const fixed = (x) => x.toFixed(3);

function make(tag, parent, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  parent.append(node);
  return node;
}

// The rows of the table: the most likely tokens, and one row for all others.
function tableRows(result, tokens, counts, most) {
  const order = ranking(result.before), shown = order.length > most + 1 ? most : order.length;
  const rows = order.slice(0, shown).map((i) => ({
    name: tokens[i], kept: result.kept[i], plain: result.plain[i],
    share: result.kept[i] ? result.after[i] : result.before[i], drawn: counts?.[i],
  }));
  const rest = order.slice(shown);
  if (rest.length) {
    const sum = (values) => rest.reduce((total, i) => total + values[i], 0);
    const kept = rest.filter((i) => result.kept[i]).length;
    rows.push({
      name: `${rest.length} others`, kept: kept > 0, some: kept, plain: sum(result.plain),
      share: sum(kept ? result.after : result.before), drawn: counts ? sum(counts) : undefined,
    });
  }
  return rows;
}

function fill(body, rows, width) {
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((row, r) => {
    let line = body.rows[r];
    if (!line) {
      line = body.insertRow();
      make("th", line).scope = "row";
      const bars = make("td", line, "bars");
      for (const part of ["share", "plain", "drawn"]) make("div", bars, part);
      for (let c = 0; c < 3; c++) make("td", line);
      bars.ariaHidden = "true"; // the numbers beside it say the same
    }
    const [name, bars, share, state, drawn] = line.cells;
    line.className = row.kept ? "kept" : "dropped";
    name.textContent = name.title = row.name;
    bars.children[0].style.width = `${Math.min(100, (100 * row.share) / width)}%`;
    bars.children[1].style.width = `${Math.min(100, (100 * row.plain) / width)}%`;
    bars.children[2].style.width = `${Math.min(100, (row.drawn ?? 0) / width)}%`;
    share.textContent = fixed(row.share);
    state.textContent = row.some ? `${row.some} kept` : row.kept ? "kept" : "dropped";
    drawn.textContent = row.drawn === undefined ? "" : String(row.drawn);
  });
}

// The sliders beside the demo have a visible name; give it to a screen reader too.
function nameSliders(root) {
  const box = root.closest(".sampling-panel");
  box?.querySelectorAll(".widget-inline-hbox").forEach((line) => {
    const name = line.querySelector(".widget-label")?.textContent;
    if (name) line.querySelector("[role=slider]")?.setAttribute("aria-label", name);
  });
}

function render({ model, el }) {
  const root = make("div", el, "sampling-demo");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "sampling demo");
  make("style", root, "", STYLE);
  const problem = make("div", root, "problem");
  problem.setAttribute("role", "status");
  const table = make("table", root), caption = table.createCaption();
  const head = table.createTHead().insertRow(), body = table.createTBody();
  const titles = ["token", "", "share", "", "drawn"];
  const [, axis] = titles.map((text) => make("th", head, "", text));
  const button = make("button", root, "", "Sample 100");
  button.type = "button";
  const said = make("span", root);
  said.setAttribute("aria-live", "polite");

  let result, shown, counts = null, clicks = 0, timer;

  function tell() { // the kernel, when there is one, after the slider has come to rest
    clearTimeout(timer);
    timer = setTimeout(() => {
      nameSliders(root);
      const { count, mass, entropy_before, entropy_after } = result;
      model.set("seen", {
        count, mass, entropy_before, entropy_after, counts,
        logits: shown.typed ? shown.logits.map((z) => (z > -Infinity ? z : "-inf")) : null,
      });
      model.save_changes();
    }, 120);
  }

  function update({ keepDraws = false } = {}) {
    const all = model.get("distributions"), chosen = model.get("chosen");
    const typed = chosen >= all.length;
    const next = typed ? { ...parse(model.get("typed")), typed } : all[chosen];
    problem.textContent = next.error ?? "";
    if (next.error) return;
    shown = next;
    if (!keepDraws) counts = null;
    const knobs = {};
    for (const name of model.get("knobs")) knobs[name] = model.get(name);
    result = reshape(shown.logits, knobs);
    const rows = tableRows(result, shown.tokens, counts, model.get("most"));
    const largest = Math.max(...rows.flatMap((row) => [row.share, row.plain]));
    const width = [0.05, 0.1, 0.2, 0.5, 1].find((w) => w >= largest) ?? 1;
    axis.textContent = `full width: ${width}   ▏the model’s own share`;
    fill(body, rows, width);
    const { count, mass, entropy_before, entropy_after } = result;
    caption.textContent = `${count} of ${shown.logits.length} tokens kept · mass ${fixed(mass)} · `
      + `entropy ${fixed(entropy_before)} → ${fixed(entropy_after)} nats`;
    said.textContent = counts ? `drawn: ${rows.filter((row) => row.drawn)
      .map((row) => `${row.name} ${row.drawn}`).join(", ")}` : "";
    tell();
  }

  button.addEventListener("click", () => {
    if (!result) return;
    counts = draw(result.after, 100, model.get("seed") + clicks++);
    update({ keepDraws: true });
  });
  for (const name of ["t", "k", "p", "min_p", "late", "chosen", "distributions"])
    model.on(`change:${name}`, () => update());
  model.on("change:typed", () => { // typing is choosing
    model.set("chosen", model.get("distributions").length);
    update();
  });
  update();
  setTimeout(() => nameSliders(root), 1000); // by then they are drawn
}

export default { render };
