// The memory demo: what weights and cache need, against graphics cards drawn to scale. All numbers
// are made here, so that a slider moves the bars without asking the kernel, and without a kernel.

const GB = 1e9;

// ---- arithmetic, which tests compare with Python's ----

// What one text and all texts need, and how each card fares. Sizes in bytes, cards in GB.
export function plan({ layers, kv_heads, head_width, tokens, texts, cache_bytes, weights,
  weight_bytes, rest, cards }) {
  const per_token = 2 * layers * kv_heads * head_width * cache_bytes;
  const per_text = per_token * Math.round(tokens);
  const cache = per_text * texts;
  const held = weights * 1e9 * weight_bytes, other = rest * GB;
  const need = held + cache + other;
  return {
    per_token, per_text, cache, weights: held, rest: other, need,
    cards: cards.map((card) => ({
      card,
      fits: need <= card * GB,
      left: card * GB - need,
      texts: Math.max(0, Math.floor((card * GB - held - other) / per_text)),
    })),
  };
}

export function size(bytes) { // for reading: 2.147 GB, 33.55 MB
  const units = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]];
  const [unit, name] = units.find(([unit]) => Math.abs(bytes) >= unit) ?? [1, "bytes"];
  return `${Number((bytes / unit).toPrecision(4))} ${name}`;
}

export function binary(bytes) { // the same in powers of 1024: 2 GiB
  const units = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
  const [unit, name] = units.find(([unit]) => bytes >= unit) ?? [1, "bytes"];
  return `${Number((bytes / unit).toPrecision(4))} ${name}`;
}

// ---- drawing ----

const STYLE = `
.memory-demo { color: var(--jp-ui-font-color1, inherit); font-size: 13px; max-width: 52em; }
.memory-demo table { border-collapse: collapse; width: 100%; }
.memory-demo caption { text-align: left; padding: 4px 0; }
.memory-demo :is(th, td) { padding: 3px 6px; font-weight: normal; text-align: left;
  font-variant-numeric: tabular-nums; white-space: nowrap; background: none; border: 0; }
.memory-demo thead th { font-size: 11px; opacity: 0.8; }
.memory-demo td.bars { width: 55%; position: relative; height: 24px; padding: 0; }
.memory-demo td.bars div { position: absolute; box-sizing: border-box; top: 6px; height: 14px; }
.memory-demo .rest { background: repeating-linear-gradient(90deg, currentColor 0 1px,
  transparent 1px 4px); opacity: 0.7; }
.memory-demo .weights { background: #0072b2; }
.memory-demo .cache { background: repeating-linear-gradient(45deg, #d55e00 0 5px,
  transparent 5px 7px), #d55e0066; }
.memory-demo td.bars .card { left: 0; top: 2px; height: 22px; border: 2px solid currentColor;
  border-radius: 2px; }
.memory-demo .key { display: inline-block; position: relative; width: 18px; height: 11px;
  margin: 0 4px 0 12px; vertical-align: -1px; }
.memory-demo .over .state { text-decoration: underline; }
`;

function make(tag, parent, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  parent.append(node);
  return node;
}

// The sliders beside the demo have a visible name; give it to a screen reader too.
function nameSliders(root) {
  const box = root.closest(".memory-panel");
  box?.querySelectorAll(".widget-inline-hbox").forEach((line) => {
    const name = line.querySelector(".widget-label")?.textContent;
    if (name) line.querySelector("[role=slider]")?.setAttribute("aria-label", name);
  });
}

const OF_MODEL = ["layers", "kv_heads", "head_width", "weights"];
const CHOSEN = ["tokens", "texts", "rest", "weight_type", "cache_type"];

function render({ model, el }) {
  const root = make("div", el, "memory-demo");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "memory demo");
  make("style", root, "", STYLE);
  const table = make("table", root), caption = table.createCaption();
  const head = table.createTHead().insertRow(), body = table.createTBody();
  for (const text of ["card", "", "", "texts at most"]) make("th", head, "", text);
  const key = make("div", root);
  for (const [part, text] of [["weights", "weights"], ["cache", "cache"],
    ["rest", "all else"]]) {
    make("span", key, `key ${part}`).ariaHidden = "true";
    make("span", key, "", text);
  }
  make("span", key, "", "; the frame is the card, all to one scale");
  let timer, loading = false;

  function tell(result) { // the kernel, when there is one, after the slider has come to rest
    clearTimeout(timer);
    timer = setTimeout(() => {
      nameSliders(root);
      model.set("seen", { cache: result.cache, per_token: result.per_token, need: result.need,
        fits: result.cards.map((c) => c.fits), texts: result.cards.map((c) => c.texts) });
      model.save_changes();
    }, 120);
  }

  function state() {
    const now = { cards: model.get("cards"),
      weight_bytes: model.get("weight_bytes")[model.get("weight_type")],
      cache_bytes: model.get("cache_bytes")[model.get("cache_type")] };
    for (const name of [...OF_MODEL, "tokens", "texts", "rest"]) now[name] = model.get(name);
    return now;
  }

  function update() {
    const result = plan(state());
    const scale = Math.max(...result.cards.map((c) => c.card * GB), result.need) / 100;
    while (body.rows.length < result.cards.length) {
      const line = body.insertRow();
      make("th", line).scope = "row";
      const bars = make("td", line, "bars");
      for (const part of ["weights", "cache", "rest", "card"]) make("div", bars, part);
      bars.ariaHidden = "true"; // the words beside it say the same
      make("td", line, "state");
      make("td", line);
    }
    result.cards.forEach((card, r) => {
      const [name, bars, told, texts] = body.rows[r].cells;
      body.rows[r].className = card.fits ? "fits" : "over";
      name.textContent = `${card.card} GB`;
      let left = 0;
      ["weights", "cache", "rest"].forEach((part, i) => {
        bars.children[i].style.left = `${left / scale}%`;
        bars.children[i].style.width = `${result[part] / scale}%`;
        left += result[part];
      });
      bars.children[3].style.width = `${(card.card * GB) / scale}%`;
      told.textContent = card.fits ? `fits, ${size(card.left)} left`
        : `too much by ${size(-card.left)}`;
      texts.textContent = String(card.texts);
    });
    caption.textContent = `cache ${size(result.cache)} = ${binary(result.cache)} · a token `
      + `${result.per_token.toLocaleString("en-US")} bytes · weights ${size(result.weights)} · `
      + `together ${size(result.need)}`;
    tell(result);
  }

  function choose() { // a model brings its own sizes
    const sizes = model.get("models")[model.get("model")];
    if (!sizes) return;
    loading = true;
    for (const name of OF_MODEL) model.set(name, sizes[name]);
    loading = false;
    model.save_changes();
    update();
  }

  function moved() { // other sizes are another model
    if (loading) return;
    const models = model.get("models"), sizes = models[model.get("model")];
    if (sizes && OF_MODEL.some((name) => Math.abs(model.get(name) - sizes[name]) > 1e-9)) {
      model.set("model", models.length);
      model.save_changes();
    }
    update();
  }

  model.on("change:model", choose);
  for (const name of OF_MODEL) model.on(`change:${name}`, moved);
  for (const name of CHOSEN) model.on(`change:${name}`, update);
  update();
  setTimeout(() => nameSliders(root), 1000); // by then they are drawn
}

export default { render };
