// Dials and curve of RopeDials. Everything is computed here; Python only sends numbers.

const SIZE = 68, PLOT = 130, EDGE = 34, REACH = 40;
const Q = "#0072B2", K = "#D55E00";

export function score(theta, q, k, distance) {
  let sum = 0;
  theta.forEach((t, i) => {
    const [q1, q2, k1, k2] = [q[2 * i], q[2 * i + 1], k[2 * i], k[2 * i + 1]];
    const x = distance * t;
    sum += (q1 * k1 + q2 * k2) * Math.cos(x) + (q2 * k1 - q1 * k2) * Math.sin(x);
  });
  return sum;
}

function node(parent, name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

function hand(parent, colour, dashed) {
  return node(parent, "line", {
    stroke: colour, "stroke-width": 3, "stroke-linecap": "round",
    ...(dashed ? { "stroke-dasharray": "6 5" } : {}),
  });
}

function render({ model, el }) {
  const theta = model.get("frequencies"), q = model.get("q"), k = model.get("k");
  const width = Math.max(theta.length * SIZE, 480) + EDGE, height = SIZE + PLOT + 50;
  const svg = node(el, "svg", {
    viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img",
    style: `max-width: ${width}px; display: block; font-family: sans-serif`,
  });
  const said = document.createElement("div");
  said.setAttribute("aria-live", "polite");
  said.style.fontFamily = "monospace";
  el.append(said);

  const dials = theta.map((_, i) => {
    const at = node(svg, "g", {
      transform: `translate(${EDGE + (i + 0.5) * SIZE}, ${SIZE / 2 + 14})`,
    });
    node(at, "text", {
      y: -SIZE / 2 + 1, "text-anchor": "middle", "font-size": 10, fill: "currentColor",
    }, `pair ${i}`);
    node(at, "circle", { r: 27, fill: "none", stroke: "currentColor", "stroke-opacity": 0.35 });
    return { q: hand(at, Q, false), k: hand(at, K, true) };
  });

  const all = [];
  for (let d = -REACH; d <= REACH; d++) all.push([d, score(theta, q, k, d)]);
  const most = Math.max(...all.map(([, s]) => Math.abs(s)), 1e-9) * 1.1;
  const right = width - 10, top = SIZE + 26;
  const x = (d) => EDGE + ((d + REACH) / (2 * REACH)) * (right - EDGE);
  const y = (s) => top + (PLOT / 2) * (1 - s / most);
  const thin = { stroke: "currentColor", "stroke-opacity": 0.35 };
  node(svg, "line", { x1: EDGE, x2: right, y1: y(0), y2: y(0), ...thin });
  node(svg, "line", { x1: x(0), x2: x(0), y1: top, y2: top + PLOT, ...thin });
  node(svg, "polyline", {
    points: all.map(([d, s]) => `${x(d)},${y(s)}`).join(" "), fill: "none", stroke: "currentColor",
    "stroke-width": 1.5,
  });
  for (const [d, s] of model.get("dots"))
    node(svg, "circle", { cx: x(d), cy: y(s), r: 4, fill: "none", stroke: K, class: "dot" });
  for (const d of [-REACH, 0, REACH])
    node(svg, "text", {
      x: x(d), y: top + PLOT + 14, "text-anchor": "middle", "font-size": 10, fill: "currentColor",
    }, `${d}`);
  node(svg, "text", { x: 2, y: top + 8, "font-size": 10, fill: "currentColor" }, "score");
  const here = node(svg, "circle", { r: 6, fill: Q, class: "here" });

  function update() {
    const m = model.get("m"), distance = model.get("distance");
    dials.forEach((dial, i) => {
      for (const [name, vector, place] of [["q", q, m], ["k", k, m + distance]]) {
        const angle = Math.atan2(vector[2 * i + 1], vector[2 * i]) + place * theta[i];
        dial[name].setAttribute("x2", 25 * Math.cos(angle));
        dial[name].setAttribute("y2", -25 * Math.sin(angle));
      }
    });
    const now = score(theta, q, k, distance);
    here.setAttribute("cx", x(distance));
    here.setAttribute("cy", y(now));
    said.textContent = `q (solid) at ${m}, k (dashed) at ${m + distance}: score ${now.toFixed(4)}`;
    svg.setAttribute("aria-label", `Dials of ${theta.length} pairs. ${said.textContent}`);
  }
  model.on("change:m", update);
  model.on("change:distance", update);
  update();
  return () => {
    model.off("change:m", update);
    model.off("change:distance", update);
  };
}

export default { render };
