// Causal attention over a sentence, and the gradient that comes back, for one scale on the scores.
const NS = "http://www.w3.org/2000/svg";
const CELL = 34, LEFT = 92, TOP = 84;

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const norm = (a) => Math.sqrt(dot(a, a));

// Query t against the keys 0 … t: its weights, and the gradients to its scores and to itself.
function row(t, q, k, v, grad, scale) {
  const seen = [...Array(t + 1).keys()];
  const scores = seen.map((j) => scale * dot(q[t], k[j]));
  const top = Math.max(...scores);
  const e = scores.map((s) => Math.exp(s - top));
  const total = e.reduce((a, b) => a + b, 0);
  const p = e.map((x) => x / total);
  const dp = seen.map((j) => dot(grad[t], v[j]));
  const mean = dot(p, dp);
  const ds = p.map((w, j) => w * (dp[j] - mean));
  const dq = q[t].map((_, i) => scale * seen.reduce((sum, j) => sum + ds[j] * k[j][i], 0));
  const entropy = -p.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0);
  return { p, entropy: entropy / Math.log(t + 1), ds: norm(ds), dq: norm(dq) };
}

// The weights [T][t + 1], and means over the queries that have a choice (all but the first).
export function compute({ q, k, v, grad }, scale) {
  const rows = q.map((_, t) => row(t, q, k, v, grad, scale));
  const mean = (name) => rows.slice(1).reduce((sum, r) => sum + r[name], 0) / (rows.length - 1);
  return { weights: rows.map((r) => r.p), entropy: mean("entropy"), ds: mean("ds"), dq: mean("dq") };
}

function make(parent, name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function draw(svg, tokens) {
  const size = tokens.length * CELL;
  svg.setAttribute("viewBox", `0 0 ${LEFT + size + 4} ${TOP + size + 4}`);
  svg.style.cssText = `width: 100%; max-width: ${LEFT + size + 4}px; font: 12px sans-serif`;
  const hatch = make(make(svg, "defs", {}), "pattern", {
    id: "attention-masked", width: 6, height: 6, patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)" });
  make(hatch, "rect", { width: 1, height: 6, fill: "currentColor", opacity: 0.35 });
  return tokens.map((query, t) => {
    const y = TOP + t * CELL, x = LEFT + t * CELL;
    make(svg, "text", { x: LEFT - 8, y: y + CELL / 2 + 4, "text-anchor": "end",
                        fill: "currentColor" }, query);
    make(svg, "text", { x: x + CELL / 2, y: TOP - 8, fill: "currentColor",
                        transform: `rotate(-55 ${x + CELL / 2} ${TOP - 8})` }, query);
    return tokens.map((key, j) => {
      const place = { x: LEFT + j * CELL, y, width: CELL, height: CELL };
      const box = make(svg, "rect", { ...place, stroke: "currentColor", "stroke-opacity": 0.25,
                                      fill: j > t ? "url(#attention-masked)" : "#0072B2" });
      if (j > t) return null;
      const title = make(box, "title", {});
      const label = make(svg, "text", {
        x: place.x + CELL / 2, y: y + CELL / 2 + 4, "text-anchor": "middle", fill: "currentColor",
        stroke: "var(--jp-layout-color0, Canvas)", "stroke-width": 3, "paint-order": "stroke" });
      return { box, title, label, name: `${query} looks at ${key}` };
    });
  });
}

// The slider beside the map has a label on the screen, but none for a screen reader.
function nameSlider(el, tries = 60) {
  const slider = el.closest(".widget-vbox")?.querySelector("[role=slider]");
  if (slider) slider.setAttribute("aria-label", "scale on the scores");
  else if (tries) requestAnimationFrame(() => nameSlider(el, tries - 1));
}

function render({ model, el }) {
  const tokens = model.get("tokens");
  const input = Object.fromEntries(["q", "k", "v", "grad"].map((n) => [n, model.get(n)]));
  const svg = make(el, "svg", { role: "img" });
  const cells = draw(svg, tokens);
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  el.append(said);

  function update() {
    const scale = model.get("scale");
    const { weights, entropy, ds, dq } = compute(input, scale);
    weights.forEach((line, t) => line.forEach((w, j) => {
      const { box, title, label, name } = cells[t][j];
      box.setAttribute("fill-opacity", w);
      title.textContent = `${name}: ${w.toFixed(3)}`;
      label.textContent = w < 0.095 ? "" : w.toFixed(2);
    }));
    const strongest = weights.at(-1).indexOf(Math.max(...weights.at(-1)));
    svg.setAttribute("aria-label", `Attention weights of ${tokens.length} words at scale ${
      scale.toPrecision(3)}. "${tokens.at(-1)}" looks most at "${tokens[strongest]}".`);
    said.textContent = `scale ${scale.toPrecision(3)} · entropy ${entropy.toFixed(3)} · gradient to `
      + `the scores ${ds.toFixed(3)} · gradient to the queries ${dq.toFixed(3)}`;
    Object.assign(said.dataset, { scale, entropy, ds, dq });
  }
  model.on("change:scale", update);
  update();
  nameSlider(el);
  return () => model.off("change:scale", update);
}

export default { render };
