/** Draws the chart of a recorded search on a canvas, and follows the pointer on it. */

import { boxes, colourOf, labelOf, within, zoomed } from '../game/icicle.js';

/**
 * @import {Trace} from '../game/trace.js'
 * @import {View} from '../game/icicle.js'
 *
 * @typedef {{trace: Trace, view: View, whole: number, time: number, selected: number | null, compared: boolean,
 *   theme: string}} Shown `whole`: how many nodes the chart is as wide as; `time`: how many have been entered
 * @typedef {{select: (node: number) => void, open: (node: number) => void, hover: (node: number | null) => void,
 *   look: (view: View) => void}} Touched
 */

/** The heights of rows, in pixels. */
const ROW = { least: 7, most: 26, all: 300 };
/** A pointer that moves less far has clicked. */
const CLICK_PX = 4;

/** How high a row is. @param {Trace} trace */
export function rowHeight(trace) {
  return Math.round(Math.min(ROW.most, Math.max(ROW.least, ROW.all / trace.levels.length)));
}

export class Icicle {
  /** @type {HTMLCanvasElement | null} */
  #canvas = null;
  /** @type {Shown | null} */
  #shown = null;
  /** The colours, and the theme that has them. @type {{of: (name: string) => string, theme: string} | null} */
  #colours = null;
  #isAsked = false;
  /** Where the pointer went down, and the view then. @type {{x: number, view: View, moved: boolean} | null} */
  #drag = null;
  #resized = new ResizeObserver(() => this.#ask());

  /** @param {Touched} touched */
  constructor(touched) {
    this.touched = touched;
  }

  /** @param {HTMLCanvasElement} canvas */
  attach(canvas) {
    this.#resized.disconnect();
    this.#canvas = canvas;
    this.#resized.observe(canvas);
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => this.#up(event));
    canvas.addEventListener('pointercancel', () => (this.#drag = null));
    canvas.addEventListener('pointerleave', () => this.touched.hover(null));
    canvas.addEventListener('dblclick', (event) => this.#at(event, this.touched.open));
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#ask();
  }

  /** @param {Shown | null} shown */
  show(shown) {
    const was = /** @type {any} */ (this.#shown);
    const isSame = was && shown && Object.entries(shown).every(([name, value]) => was[name] === value);
    this.#shown = shown;
    if (!isSame) this.#ask();
  }

  #ask() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  #draw() {
    const [canvas, shown] = [this.#canvas, this.#shown];
    const pen = canvas?.getContext('2d');
    if (!canvas || !shown || !pen || canvas.clientWidth === 0) return;
    const { trace, view, time, selected, compared } = shown;
    const [width, row] = [canvas.clientWidth, rowHeight(trace)];
    const ratio = devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(trace.levels.length * row * ratio);
    canvas.style.height = `${trace.levels.length * row}px`;
    pen.scale(ratio, ratio);
    // The system's theme may change at any time.
    const theme = `${shown.theme} ${matchMedia('(prefers-color-scheme: dark)').matches}`;
    if (this.#colours?.theme !== theme) this.#colours = { of: coloursOf(canvas), theme };
    const colours = this.#colours.of;
    const gap = row > 10 ? 1 : 0;
    pen.font = `${Math.min(12, row - 6)}px system-ui, sans-serif`;
    pen.textBaseline = 'middle';
    for (const box of boxes(trace, view, width, time)) {
      const name = colourOf(trace, box.node, time, compared);
      pen.fillStyle = colours(name);
      pen.fillRect(box.x, box.level * row, box.width > 3 ? box.width - gap : box.width, row - gap);
      const label = row >= 16 ? labelOf(trace, box, time) : '';
      if (!label) continue;
      pen.fillStyle = colours(`${name}-text`);
      pen.fillText(label, box.x + 4, box.level * row + row / 2, box.width - 6);
    }
    if (selected != null) outline(pen, shown, selected, width, row, colours('selected'));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !this.#shown) return;
    this.#drag = { x: event.clientX, view: this.#shown.view, moved: false };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const [canvas, shown, drag] = [this.#canvas, this.#shown, this.#drag];
    if (!canvas || !shown) return;
    if (!drag) {
      if (event.pointerType === 'mouse') this.#at(event, this.touched.hover);
      return;
    }
    const way = event.clientX - drag.x;
    if (!drag.moved && Math.abs(way) < CLICK_PX) return;
    drag.moved = true;
    canvas.setPointerCapture(event.pointerId);
    const nodes = (way / canvas.clientWidth) * (drag.view.to - drag.view.from);
    this.touched.look(within({ from: drag.view.from - nodes, to: drag.view.to - nodes }, shown.whole));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.#drag && !this.#drag.moved) this.#at(event, this.touched.select);
    this.#drag = null;
  }

  /** Zooms about the pointer, with the key that browsers zoom with; else the page scrolls. @param {WheelEvent} event */
  #wheel(event) {
    const [canvas, shown] = [this.#canvas, this.#shown];
    if (!canvas || !shown || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const { from, to } = shown.view;
    const place = from + (event.offsetX / canvas.clientWidth) * (to - from);
    this.touched.look(zoomed(shown.view, place, Math.exp(-event.deltaY / 300), shown.whole));
  }

  /** Does something with the node under the pointer. @param {MouseEvent} event @param {(node: number) => void} act */
  #at(event, act) {
    const [canvas, shown] = [this.#canvas, this.#shown];
    if (!canvas || !shown) return;
    const { from, to } = shown.view;
    const place = Math.floor(from + (event.offsetX / canvas.clientWidth) * (to - from));
    const node = shown.trace.at(Math.floor(event.offsetY / rowHeight(shown.trace)), Math.min(place, shown.time - 1));
    if (node != null && place < shown.trace.count) act(node);
  }
}

/** A frame around a node, wide enough to be seen. */
function outline(
  /** @type {CanvasRenderingContext2D} */ pen,
  /** @type {Shown} */ { trace, view: { from, to } },
  /** @type {number} */ node,
  /** @type {number} */ width,
  /** @type {number} */ row,
  /** @type {string} */ colour,
) {
  const scale = width / Math.max(1, to - from);
  const [left, right] = [(node - from) * scale, (trace.end(node) - from) * scale];
  if (right < 0 || left > width) return;
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  const x = Math.max(-2, left - 1);
  pen.strokeRect(x, trace.levelOf(node) * row, Math.max(4, Math.min(width + 2, right + 1) - x), row - 1);
}

/** The colours that the style sheet gives to ends, as they are in the theme. @param {HTMLElement} element @returns {(name: string) => string} */
export function coloursOf(element) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return (name) => {
    const old = known.get(name);
    if (old) return old;
    element.style.color = `var(--chart-${name}, var(--chart-text))`;
    const found = getComputedStyle(element).color;
    known.set(name, found);
    return found;
  };
}
