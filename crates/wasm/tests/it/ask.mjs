// Answers questions with engine.wasm as a page does: a line of JSON each, from the standard input.
//
//     node ask.mjs ENGINE [TABLES…]

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [engine, ...tables] = process.argv.slice(2);
const reports = [];
const { instance } = await WebAssembly.instantiate(readFileSync(engine), {
  clock: { milliseconds: () => performance.now() },
  page: { report: (from, length) => reports.push(text(from, length)) },
});
const { memory, input, ask, output, add_tables: addTables } = instance.exports;

function text(from, length) {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, from, length));
}

function give(bytes) {
  // Making room may move the memory to another buffer.
  const at = input(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
}

for (const file of tables) {
  give(readFileSync(file));
  addTables();
}
for await (const question of createInterface({ input: process.stdin })) {
  reports.length = 0;
  give(new TextEncoder().encode(question));
  const length = ask();
  console.log(JSON.stringify([...reports, text(output(), length)]));
}
