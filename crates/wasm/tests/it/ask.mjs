// Answers questions with engine.wasm as a page does: a line of JSON each, from the standard input.
//
//     node ask.mjs ENGINE [TABLES…]

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createInterface } from 'node:readline';

const [engine, ...tables] = process.argv.slice(2);
const reports = [];
const { instance } = await WebAssembly.instantiate(gunzipSync(readFileSync(engine)), {
  clock: { milliseconds: () => performance.now() },
  page: { report: (from, length) => reports.push(text(from, length)) },
});
const { memory, input, attach, ask, output, attached, attachment } = instance.exports;

function text(from, length) {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, from, length));
}

function give(bytes) {
  // Making room may move the memory to another buffer.
  const at = input(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
}

function answered(question) {
  give(new TextEncoder().encode(question));
  const length = ask();
  return text(output(), length);
}

for (const file of tables) {
  give(readFileSync(file));
  attach();
}
if (tables.length > 0) answered('{"about":"tables"}');
for await (const question of createInterface({ input: process.stdin })) {
  reports.length = 0;
  const answer = answered(question);
  const file = Buffer.from(memory.buffer, attachment(), attached()).toString('hex');
  console.log(JSON.stringify([...reports, answer, file]));
}
