/** Pointers on the board: clicks, and pieces that are dragged. */

/**
 * @import {App} from '../app.js'
 * @import {BoardEvents} from '../views/board.js'
 */

/** A pointer that has moved so far drags, in pixels. */
const DRAG_PX = 5;

/**
 * @param {App} app
 * @returns {BoardEvents}
 */
export function pointerEvents(app) {
  /** @type {{square: string, x: number, y: number, id: number, dragging: boolean, board: HTMLElement} | null} */
  let held = null;
  /** Where the right button was pressed. @type {string | null} */
  let marked = null;

  return {
    pointerdown(event) {
      const square = squareOf(event.target);
      marked = event.button === 2 ? square : null;
      if (!square || event.button !== 0 || !event.isPrimary) return;
      app.act.erase();
      const board = event.currentTarget.closest('.board');
      held = { square, x: event.clientX, y: event.clientY, id: event.pointerId, dragging: false, board };
    },
    pointermove(event) {
      if (!held || event.pointerId !== held.id) return;
      if (!held.dragging) {
        const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) >= DRAG_PX;
        if (!far) return;
        if (!app.act.canPick(held.square)) {
          held = null;
          return;
        }
        held.dragging = true;
        app.act.pick(held.square);
        event.currentTarget.setPointerCapture(event.pointerId);
        held.board.classList.add('dragging');
      }
      carry(held.board, held.square, event.clientX, event.clientY);
    },
    pointerup(event) {
      const end = squareOf(event.target);
      if (marked && end && event.button === 2) app.act.mark(marked, end);
      if (!held || event.pointerId !== held.id) return;
      const { square, dragging, board } = held;
      held = null;
      if (!dragging) {
        if (squareOf(event.target) === square) app.act.click(square);
        return;
      }
      letGo(board);
      const target = squareOf(document.elementFromPoint(event.clientX, event.clientY));
      if (target) app.act.drop(target, square);
    },
    pointercancel() {
      if (held?.dragging) letGo(held.board);
      held = null;
    },
    contextmenu(event) {
      event.preventDefault();
      if (event.button !== 2) app.act.clear();
    },
  };
}

/** @param {any} element @returns {string | null} */
function squareOf(element) {
  return element?.closest?.('[data-sq]')?.dataset.sq ?? null;
}

/** @param {HTMLElement} board @param {string} square @returns {SVGGElement | null} */
function pieceAt(board, square) {
  return board.querySelector(`.piece[data-at="${square}"]:not(.ghost):not(.origin)`);
}

/** Moves the drawing of a piece under the pointer. @param {HTMLElement} board @param {string} square @param {number} x @param {number} y */
function carry(board, square, x, y) {
  const piece = pieceAt(board, square);
  if (!piece) return;
  const { left, top, width, height } = board.getBoundingClientRect();
  const [across, down] = [((x - left) / width) * 800, ((y - top) / height) * 800];
  piece.classList.add('held');
  piece.style.setProperty('translate', `${across - middleOf(piece).x}px ${down - middleOf(piece).y}px`);
}

/** Where a piece stands, from what was drawn. @param {SVGGElement} piece */
function middleOf(piece) {
  const found = /translate\(([\d.]+)px, ([\d.]+)px\)/.exec(piece.style.transform);
  return { x: Number(found?.[1] ?? 0), y: Number(found?.[2] ?? 0) };
}

/** @param {HTMLElement} board */
function letGo(board) {
  board.classList.remove('dragging');
  for (const piece of board.querySelectorAll('.piece.held')) {
    piece.classList.remove('held');
    /** @type {SVGGElement} */ (piece).style.removeProperty('translate');
  }
}
