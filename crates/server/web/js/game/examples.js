/** Positions that show how men and kings capture. A test compares them with the rules. */

/**
 * @typedef {{name: string, fen: string, squares: string[], captures: string[], all: string[]}} Example
 *   `squares` of the move that is drawn; `all`: every legal move, the drawn one first
 */

/** @type {Example[]} */
export const EXAMPLES = [
  { name: 'must', fen: 'W:Wc3,g1:Bd4,h8', squares: ['c3', 'e5'], captures: ['d4'], all: ['c3:e5'] },
  { name: 'back', fen: 'W:We5,a1:Bd4,h8', squares: ['e5', 'c3'], captures: ['d4'], all: ['e5:c3'] },
  { name: 'whole', fen: 'W:Wa1:Bb2,d4,f4,h8', squares: ['a1', 'c3', 'e5', 'g3'], captures: ['b2', 'd4', 'f4'], all: ['a1:g3'] },
  { name: 'choice', fen: 'W:Wa1,h2:Bb2,d4,g3', squares: ['h2', 'f4'], captures: ['g3'], all: ['h2:f4', 'a1:e5'] },
  { name: 'king', fen: 'W:WKa1:Bd4,h6', squares: ['a1', 'f6'], captures: ['d4'], all: ['a1:f6', 'a1:e5', 'a1:g7', 'a1:h8'] },
  { name: 'further', fen: 'W:WKa1:Bd4,g5', squares: ['a1', 'f6', 'h4'], captures: ['d4', 'g5'], all: ['a1:h4'] },
  { name: 'crown', fen: 'W:Wb6:Bc7,f6', squares: ['b6', 'd8', 'g5'], captures: ['c7', 'f6'], all: ['b6:g5', 'b6:h4'] },
  { name: 'circle', fen: 'W:Wc3:Bd2,d4,f2,f4,h8', squares: ['c3', 'e5', 'g3', 'e1', 'c3'], captures: ['d4', 'f4', 'f2', 'd2'], all: ['c3:c3'] },
];
