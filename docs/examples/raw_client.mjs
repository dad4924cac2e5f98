// A client in a page of code: joins, takes a seat, waits for an opponent who takes the other one, plays random
// moves, prints the result. It comes back if the connection breaks, and nothing is lost.
//
//     node raw_client.mjs ws://127.0.0.1:43210 my-name white [SECONDS]
//
// SECONDS is how long it waits before each move. Written from docs/protocol.md alone. Needs Node 22, or
// Node 20 with `npm install ws`. Exit code 0 when a game was played to its end.

import process from "node:process";

const WebSocket = globalThis.WebSocket ?? (await import("ws")).WebSocket;

const PATIENCE_MS = 60_000; // how long it tries to come back
const PAUSE_MS = 500;

const [url, name, color, seconds = 0] = process.argv.slice(2);
let token; // shows, after a break, that we are who we were
let since; // the last event we have had: what came after it is told when we come back
let sent; // the last move, to be sent again if nobody has said that it is there
let told = 0; // how many moves have been printed
let left = Date.now();

function connect() {
  const socket = new WebSocket(url);
  const say = (message) => socket.send(JSON.stringify(message));

  socket.addEventListener("open", () => say({ type: "join", name, token, since }));
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.seq) since = { game: message.game, seq: message.seq };
    switch (message.type) {
      case "joined":
        left = undefined;
        if (!message.resumed) {
          console.error("waiting for an opponent at the table main");
          say({ type: "take_seat", color });
        }
        token = message.token;
        break;
      case "your_turn":
        sent = answer(message);
        setTimeout(() => socket.readyState === 1 && say(sent), seconds * 1000);
        break;
      case "moved":
        tell(message.played);
        break;
      case "game_over":
        end(message);
        break;
      case "table_state": // instead of the events, if the server has them no more
        message.state?.moves.forEach(tell);
        if (message.state?.result) end(message.state);
        break;
      case "error":
        console.error(message.code, message.message);
        if (!["seat_taken", "already_seated", "not_stored"].includes(message.code)) process.exit(1);
        break;
    }
  });
  socket.addEventListener("error", () => {}); // "close" comes after it
  socket.addEventListener("close", comeBack);
}

// The move for this request: the same one if it is asked for again.
function answer({ game, ply, legal_moves: moves }) {
  if (sent?.game === game && sent.ply === ply) return sent;
  const { move } = moves[Math.floor(Math.random() * moves.length)];
  return { type: "move", game, ply, move, id: `${game}.${ply}` };
}

function tell({ ply, move }) {
  if (ply === told) console.log(told++, move);
}

function end({ result, reason }) {
  console.log(result, reason);
  process.exit(result === "interrupted" ? 1 : 0);
}

function comeBack() {
  left ??= Date.now();
  if (Date.now() - left > PATIENCE_MS) {
    console.error("the server does not come back");
    process.exit(1);
  }
  setTimeout(connect, PAUSE_MS);
}

connect();
