// Shows the games of the table on a board. The positions of a game stand in its row: 32 squares
// from a1 to h8 for each of them, the first one before any move.
const viewer = document.getElementById("viewer");
const [board, status, ...buttons] = viewer.querySelectorAll("svg g, output, button");
const names = { w: "white man", W: "white king", b: "black man", B: "black king" };
let game, ply, last;

function show(to) {
  ply = Math.max(0, Math.min(last, to));
  const position = game.positions.slice(32 * ply, 32 * ply + 32);
  const before = ply && game.positions.slice(32 * ply - 32, 32 * ply);
  const pieces = [];
  let drawing = "";
  for (let row = 0; row < 8; row++) {
    for (let i = 0; i < 4; i++) {
      const square = 4 * row + i, file = 2 * i + row % 2;
      const piece = position[square], lower = piece.toLowerCase();
      const x = file * 10 + 5, y = 75 - row * 10;
      const changed = before && before[square] !== piece;
      drawing += `<rect class="dark${changed ? " changed" : ""}" x="${x - 5}" y="${y - 5}" width="10" height="10"/>`;
      if (piece === ".") continue;
      drawing += `<circle class="${lower}" cx="${x}" cy="${y}" r="4"/>`;
      if (piece !== lower) drawing += `<text class="${lower}" x="${x}" y="${y + 2}">K</text>`;
      pieces.push(`${names[piece]} ${"abcdefgh"[file]}${row + 1}`);
    }
  }
  board.innerHTML = drawing;
  board.parentNode.setAttribute("aria-label", pieces.join(", "));
  status.textContent = `Game ${game.number}: ` + (ply ? `ply ${ply} of ${last}, ${game.moves[ply - 1]}` : "the beginning");
}

const steps = [() => 0, () => ply - 1, () => ply + 1, () => last];
buttons.forEach((button, i) => button.addEventListener("click", () => show(steps[i]())));
viewer.addEventListener("keydown", (event) => {
  const i = ["Home", "ArrowLeft", "ArrowRight", "End"].indexOf(event.key);
  if (i < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(steps[i]());
});

for (const text of document.querySelectorAll("[data-positions]")) {
  const button = document.createElement("button");
  button.textContent = "board";
  button.setAttribute("aria-label", `show game ${text.dataset.game} on the board`);
  button.addEventListener("click", () => {
    const moves = text.textContent.split(" ").filter((word) => !/^\d+\.|^1…/.test(word));
    game = { number: text.dataset.game, positions: text.dataset.positions, moves };
    last = moves.length;
    viewer.hidden = false;
    show(0);
    viewer.scrollIntoView({ block: "nearest" });
    viewer.focus();
  });
  text.closest("td").prepend(button);
}
