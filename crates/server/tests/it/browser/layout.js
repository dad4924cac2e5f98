// What is wrong with the arrangement of what is in view. Runs inside a function; `argument` has the size of the
// window, and says whether fingers are used (`touch`) and whether the whole page must fit (`fits`).

const { width, height, touch, fits } = argument;
const problems = new Set();
// What is under an open dialog cannot be touched.
const scope = document.querySelector('dialog[open]') ?? document.getElementById('app');
const CONTROLS = 'a[href], button, input, select, textarea, summary, label.check, .board';
const name = (e) => {
  const text = (e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 30);
  const classes = typeof e.className === 'string' && e.className ? `.${e.className.trim().split(/\s+/).join('.')}` : '';
  return `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}${classes} "${text}"`;
};
const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest('.unseen, .toast, svg, .grid');
const inside = (rect, frame, slack = 1) => rect.left >= frame.left - slack && rect.right <= frame.right + slack;
const within = (rect, frame, slack = 1) => rect.top >= frame.top - slack && rect.bottom <= frame.bottom + slack;
const both = (a, b) => ({
  left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
});
/** A line of moves in the analysis, and a wide table, are strips to be pushed aside where they cannot be shown whole. */
const STRIPS = '.engine .line, .wide-table';
const isStrip = (e) => e.matches(STRIPS);
const isEmpty = ({ left, right, top, bottom }) => right - left < 1.5 || bottom - top < 1.5;
const round = ({ left, right, top, bottom }) => [left, top, right, bottom].map(Math.round).join(' ');

/** The part of a rectangle that is to be seen, and whether something that does not scroll cuts it. */
const seen = (element, rect) => {
  let shown = rect;
  let cut = null;
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const edges = box.getBoundingClientRect();
    const scrolls = overflowY === 'auto' || overflowY === 'scroll';
    if (!isStrip(box) && !inside(shown, edges) || !within(shown, edges) && !scrolls) cut ??= box;
    shown = both(shown, edges);
  }
  return { shown, cut };
};

// The page.
const root = document.documentElement;
if (root.scrollWidth > width) problems.add(`the page is ${root.scrollWidth} wide`);
if (fits && root.scrollHeight > height) problems.add(`the page is ${root.scrollHeight} high`);
for (const e of scope.querySelectorAll('*')) {
  if (!isShown(e)) continue;
  const { overflowX, overflowY } = getComputedStyle(e);
  if (!isStrip(e) && (overflowX === 'auto' || overflowX === 'scroll') && e.scrollWidth > e.clientWidth + 1) problems.add(`${name(e)} scrolls sideways`);
  if (overflowY === 'scroll' && e.scrollHeight <= e.clientHeight) problems.add(`${name(e)} has a scroll bar for nothing`);
}
const board = document.querySelector('.game .board, .study .board');
if (board) {
  const rect = board.getBoundingClientRect();
  if (rect.bottom > height + 1 || rect.top < -1) problems.add(`the board is not all in view: ${round(rect)}`);
}

// Controls: not cut, not on top of each other, not too small.
const things = [];
for (const e of scope.querySelectorAll(CONTROLS)) {
  if (!isShown(e)) continue;
  const rect = e.getBoundingClientRect();
  const { shown, cut } = seen(e, rect);
  if (isEmpty(shown)) {
    if (cut && !isEmpty(rect) && getComputedStyle(cut).overflowY !== 'auto') problems.add(`${name(e)} is hidden by ${name(cut)}`);
    continue;
  }
  if (cut) problems.add(`${name(e)} is cut by ${name(cut)}`);
  if (!inside(shown, { left: 0, right: width })) problems.add(`${name(e)} is outside: ${round(rect)}`);
  things.push({ e, rect: shown, control: true });
  const isBox = e.matches('input[type=checkbox]');
  const size = e.matches('.board') ? e.getBoundingClientRect().width / 8 : Math.min(rect.width, rect.height);
  if (touch && !isBox && size < 39.5 && (!e.matches('.board') || e.matches('.own'))) {
    problems.add(`${name(e)} is hard to touch: ${rect.width.toFixed(1)} × ${rect.height.toFixed(1)}`);
  }
}

// Texts: not clipped, not under or over controls.
const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
const range = document.createRange();
while (walker.nextNode()) {
  const text = walker.currentNode;
  const e = text.parentElement;
  if (!text.data.trim() || !isShown(e) || e.closest('option, textarea')) continue;
  const [key] = /\b(app|nav|lobby|game|games|reason|result|settings|study|player|explorer)\.[a-z]\w*\b/.exec(text.data) ?? [];
  if (key) problems.add(`${name(e)} shows the key ${key} for want of words`);
  range.selectNodeContents(text);
  for (const rect of e.closest(STRIPS) ? [] : range.getClientRects()) {
    // What is there for screen readers alone has a box of one pixel.
    const own = e.getBoundingClientRect();
    if (own.width <= 1 || rect.width < 1) continue;
    for (let box = e; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, display } = getComputedStyle(box);
      const clips = overflowX !== 'visible' || overflowY !== 'visible';
      if (display === 'inline' || !clips && !box.matches('button, .button, .badge, .clock')) continue;
      const edges = box.getBoundingClientRect();
      const scrolls = overflowY === 'auto' || overflowY === 'scroll';
      if (!inside(rect, edges) || !scrolls && !within(rect, edges, 2)) problems.add(`the text of ${name(e)} is clipped by ${name(box)}`);
    }
    if (!inside(rect, { left: 0, right: width })) problems.add(`the text of ${name(e)} is outside: ${round(rect)}`);
    const { shown } = seen(e, rect);
    if (!isEmpty(shown)) things.push({ e, rect: shown, control: false });
  }
}
const pen = document.createElement('canvas').getContext('2d');
for (const e of scope.querySelectorAll('select, input[placeholder]')) {
  if (!isShown(e)) continue;
  const { font, paddingLeft, paddingRight } = getComputedStyle(e);
  pen.font = font;
  const isSelect = e.tagName === 'SELECT';
  const text = isSelect ? e.selectedOptions[0]?.text ?? '' : e.placeholder;
  const room = e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - (isSelect ? 16 : 0);
  if (pen.measureText(text).width > room + 1) problems.add(`"${text}" does not fit ${name(e)}: ${room.toFixed(0)}`);
}

for (const [i, a] of things.entries()) {
  for (const b of things.slice(i + 1)) {
    if (!a.control && !b.control || a.e.contains(b.e) || b.e.contains(a.e)) continue;
    const common = both(a.rect, b.rect);
    if (isEmpty(common)) continue;
    problems.add(`${name(a.e)} overlaps ${name(b.e)}: ${round(common)}`);
  }
}
return [...problems];
