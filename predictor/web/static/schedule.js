"use strict";
// The schedule as a picture: nodes from top to bottom, time from left to right.

const MOST_LEFT = 110, FONT = "12px system-ui, sans-serif", TOP = 28, LEAST_ROW = 3, MOST_ROW = 18, MINUTE = 60e3, HOUR = 60 * MINUTE;
const INKS = ["faint", "line", "accent", "apart", "runs", "waits", "ink", "card"];
const STEPS = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 168 * HOUR];

async function start(place) {
  // Room is made at once, so that nothing moves when the plan is there.
  place.hidden = false;
  place.querySelector("canvas").style.height = `${heightOf(+place.dataset.rows)}px`;
  const query = new URLSearchParams();
  if (place.dataset.partition) query.set("partition", place.dataset.partition);
  const answer = await fetch(`${place.dataset.plan}?${query}`);
  const plan = await answer.json();
  if (!answer.ok) throw new Error(plan.detail || answer.status);
  new Picture(place, plan);
}

function rowOf(nodes) { return Math.max(LEAST_ROW, Math.min(MOST_ROW, 520 / Math.max(1, nodes))); }
function heightOf(nodes) { return TOP + Math.ceil(rowOf(nodes) * nodes) + 1; }

/** Names of a hostlist in brackets: n[1-3,7],g1. */
function expand(text) {
  const names = [];
  for (const part of text.match(/[^,[]+(\[[^\]]*\])?[^,[]*/g) || []) {
    const found = part.match(/^([^[]*)\[([^\]]*)\](.*)$/);
    if (!found) { names.push(part); continue; }
    for (const span of found[2].split(",")) {
      const [from, to = from] = span.split("-");
      for (let n = +from; n <= +to; n++) names.push(found[1] + String(n).padStart(from.length, "0") + found[3]);
    }
  }
  return names;
}

/** Neighbouring rows as pairs of the first and the number, so that they are drawn as one. */
function runs(rows) {
  const found = [];
  for (const row of rows) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === row) last[1]++; else found.push([row, 1]);
  }
  return found;
}

class Picture {
  constructor(place, plan) {
    this.place = place;
    this.canvas = place.querySelector("canvas");
    this.told = place.querySelector(".told");
    this.offset = +place.dataset.offset * 1000;
    this.nodes = plan.nodes;
    this.longest = plan.nodes.reduce((one, other) => other.length > one.length ? other : one, "");
    this.now = Date.parse(plan.snapshot_at);
    this.known = new Map();
    const rows = new Map(plan.nodes.map((name, row) => [name, row]));
    this.bars = [...plan.bars.map((bar) => this.bar(bar, rows)),
      ...plan.reservations.map((one) => this.bar({ ...one, apart: true }, rows))];
    this.byRow = plan.nodes.map(() => []);
    for (const bar of this.bars) for (const row of bar.rows) this.byRow[row].push(bar);
    const ends = this.bars.map((bar) => bar.to).filter((at) => at < this.now + 14 * 24 * HOUR);
    this.from = this.now - HOUR;
    this.to = Math.max(this.now + 3 * HOUR, Math.min(...[Math.max(this.now, ...ends), this.now + 24 * HOUR]));
    this.found = "";
    this.chosen = -1;
    this.listen();
    this.fit();
  }

  bar(told, rows) {
    const own = this.places(told.nodes, rows);
    return { ...told, rows: own, runs: runs(own), from: Date.parse(told.start_at), to: Date.parse(told.end_at) };
  }

  places(nodes, rows) {
    // Many bars are on the same nodes.
    if (!this.known.has(nodes)) {
      const own = expand(nodes).map((name) => rows.get(name)).filter((row) => row !== undefined);
      this.known.set(nodes, own.sort((a, b) => a - b));
    }
    return this.known.get(nodes);
  }

  listen() {
    new ResizeObserver(() => this.fit()).observe(this.place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.fit());
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("click", () => this.open());
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.offsetX));
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.place.querySelector(".tools").addEventListener("click", (event) => {
      const what = event.target.dataset.do;
      if (what === "in") this.zoom(0.6); else if (what === "out") this.zoom(1.6);
      else if (what === "now") this.move(this.now - HOUR - this.from);
    });
    this.place.querySelector("input").addEventListener("input", (event) => {
      this.found = event.target.value.trim().toLowerCase();
      this.draw();
    });
  }

  fit() {
    const scale = devicePixelRatio || 1, width = this.place.clientWidth;
    this.row = rowOf(this.nodes.length);
    const height = heightOf(this.nodes.length);
    this.canvas.style.height = `${height}px`;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.width = width;
    this.height = height;
    this.pen = this.canvas.getContext("2d");
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.pen.font = FONT;
    this.left = Math.ceil(Math.min(MOST_LEFT, this.pen.measureText(this.longest).width + 12));
    const style = getComputedStyle(document.documentElement);
    this.ink = Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.hatched = { waits: this.hatch("waits"), accent: this.hatch("accent") };
    this.paint();
  }

  x(at) { return this.left + (at - this.from) / (this.to - this.from) * (this.width - this.left); }
  timeAt(x) { return this.from + (x - this.left) / (this.width - this.left) * (this.to - this.from); }

  /** Draw with the next frame, however often it is asked for until then. */
  draw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = 0; this.paint(); });
  }

  paint() {
    const pen = this.pen, begun = performance.now();
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = FONT;
    this.drawTimes();
    pen.save();
    pen.beginPath();
    pen.rect(this.left, TOP, this.width - this.left, this.height - TOP);
    pen.clip();
    pen.strokeStyle = this.ink.ink;
    pen.lineWidth = 2;
    this.filled = null;
    for (const bar of this.bars) if (bar.to > this.from && bar.from < this.to) this.drawBar(bar);
    pen.restore();
    this.drawNodes();
    this.canvas.dataset.drawn = (performance.now() - begun).toFixed(1);
  }

  drawTimes() {
    const pen = this.pen;
    const step = STEPS.find((one) => (this.width - this.left) * one / (this.to - this.from) > 80) || STEPS.at(-1);
    pen.fillStyle = this.ink.faint;
    pen.strokeStyle = this.ink.line;
    pen.lineWidth = 1;
    for (let at = Math.ceil((this.from + this.offset) / step) * step - this.offset; at < this.to; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      pen.beginPath(); pen.moveTo(x, TOP); pen.lineTo(x, this.height); pen.stroke();
      pen.fillText(this.clock(at, step >= 24 * HOUR), x + 3, 16);
    }
    pen.strokeStyle = pen.fillStyle = this.ink.accent;
    pen.lineWidth = 2;
    const x = this.x(this.now);
    if (x >= this.left) { pen.beginPath(); pen.moveTo(x, TOP - 6); pen.lineTo(x, this.height); pen.stroke(); }
  }

  drawNodes() {
    const pen = this.pen, every = Math.max(1, Math.ceil(14 / this.row));
    pen.fillStyle = this.ink.faint;
    for (let row = 0; row < this.nodes.length; row += every) {
      pen.fillText(this.nodes[row].slice(0, 15), 4, TOP + this.row * row + Math.min(12, this.row) - 1, this.left - 8);
    }
  }

  drawBar(bar) {
    const pen = this.pen, left = Math.max(this.x(bar.from), this.left - 2);
    const width = Math.max(1, Math.min(this.x(bar.to), this.width + 2) - left - 1);
    const hit = this.found && `${bar.job_id} ${bar.user}`.toLowerCase().includes(this.found);
    const name = bar.apart ? "apart" : bar.own || hit ? "accent" : bar.waits ? "waits" : "runs";
    const fill = bar.waits && width > 3 && this.row > 3 ? this.hatched[name] : this.ink[name];
    // Setting it costs more than drawing does.
    if (fill !== this.filled) pen.fillStyle = this.filled = fill;
    if (bar.apart) { pen.globalAlpha = 0.35; pen.strokeStyle = this.ink.apart; }
    for (const [first, rows] of bar.runs) {
      const top = TOP + this.row * first, high = this.row * rows - (bar.apart ? 0 : 1);
      pen.fillRect(left, top, width, Math.max(1, high));
      if (hit || bar.apart || bar === this.bars[this.chosen]) {
        pen.globalAlpha = 1;
        pen.strokeRect(left, top, width, Math.max(1, high));
        if (bar.apart) pen.globalAlpha = 0.35;
      }
    }
    if (bar.apart) { pen.globalAlpha = 1; pen.strokeStyle = this.ink.ink; }
  }

  /** What is still to come is hatched, so that it is told from what runs without its colour. */
  hatch(name) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 7;
    const pen = tile.getContext("2d");
    pen.fillStyle = this.ink[name];
    pen.fillRect(0, 0, 7, 7);
    pen.strokeStyle = this.ink.card;
    pen.beginPath();
    for (const x of [0, 7, 14]) { pen.moveTo(x + 1, -1); pen.lineTo(x - 8, 8); }
    pen.stroke();
    return this.pen.createPattern(tile, "repeat");
  }

  clock(at, dayOnly) {
    const when = new Date(at + this.offset).toUTCString();
    return dayOnly ? when.slice(0, 11) : when.slice(17, 22) === "00:00" ? when.slice(0, 7) : when.slice(17, 22);
  }

  when(at) { const told = new Date(at + this.offset).toUTCString(); return `${told.slice(0, 11)} ${told.slice(17, 22)}`; }

  point(event) {
    const at = this.timeAt(event.offsetX), row = Math.floor((event.offsetY - TOP) / this.row);
    const hits = (this.byRow[row] || []).filter((bar) => bar.from <= at && at < bar.to);
    const bar = hits.find((one) => !one.apart) || hits[0];
    this.pointed = bar;
    this.canvas.style.cursor = bar && bar.job_id ? "pointer" : "default";
    this.tell(bar, row);
  }

  tell(bar, row) {
    if (!bar) { this.told.textContent = this.nodes[row] || "Point at a bar, or walk along with the arrow keys."; return; }
    const name = bar.apart ? `Reservation ${bar.name}` : bar.job_id ? `Job ${bar.job_id} of ${bar.user}` : "A job of somebody else";
    const verb = bar.apart ? "holds" : bar.waits ? "will run on" : "runs on";
    this.told.textContent = `${name} ${verb} ${bar.nodes}, ${this.when(bar.from)} to ${this.when(bar.to)}.`;
  }

  open() { if (this.pointed && this.pointed.job_id) location.href = this.place.dataset.job + encodeURIComponent(this.pointed.job_id); }

  key(event) {
    const span = this.to - this.from;
    if (event.key === "ArrowLeft") this.move(-span / 8);
    else if (event.key === "ArrowRight") this.move(span / 8);
    else if (event.key === "+" || event.key === "=") this.zoom(0.8);
    else if (event.key === "-") this.zoom(1.25);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.walk(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter") this.open();
    else return;
    event.preventDefault();
  }

  walk(step) {
    if (!this.bars.length) return;
    this.chosen = (this.chosen + step + this.bars.length) % this.bars.length;
    this.pointed = this.bars[this.chosen];
    this.tell(this.pointed);
    this.draw();
  }

  move(by) { this.from += by; this.to += by; this.draw(); }

  zoom(factor, around = (this.from + this.to) / 2) {
    const span = (this.to - this.from) * factor;
    if (span < 10 * MINUTE || span > 60 * 24 * HOUR) return;
    this.from = around - (around - this.from) * factor;
    this.to = this.from + span;
    this.draw();
  }
}

const place = document.getElementById("gantt");
if (place) start(place).catch((error) => {
  place.querySelector("canvas").hidden = true;
  place.querySelector(".told").textContent = `The schedule cannot be drawn: ${error.message}`;
});
