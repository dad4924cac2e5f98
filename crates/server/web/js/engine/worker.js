/** The engine in a thread of its own. It is given its module and tables first, then questions. */

/** @type {any} */
let engine;

/** @param {number} from @param {number} length */
function text(from, length) {
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, from, length));
}

/** @param {Uint8Array} bytes */
function give(bytes) {
  // Making room may move the memory to another buffer.
  const at = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
}

/** @param {{module: WebAssembly.Module, tables: ArrayBuffer[]}} given */
function begin({ module, tables }) {
  const report = (/** @type {number} */ from, /** @type {number} */ length) => postMessage({ report: text(from, length) });
  const imports = { clock: { milliseconds: () => performance.now() }, page: { report } };
  engine = new WebAssembly.Instance(module, imports).exports;
  if (tables.length > 0) ask('{"about":"tables"}', tables);
}

/** Answers a question with what is attached to it. @param {string} question @param {ArrayBuffer[]} files */
function ask(question, files) {
  for (const file of files) {
    give(new Uint8Array(file));
    engine.attach();
  }
  give(new TextEncoder().encode(question));
  const length = engine.ask();
  return text(engine.output(), length);
}

/** What is attached to the answer; nothing if that is empty. */
function attached() {
  const [from, length] = [engine.attachment(), engine.attached()];
  return length > 0 ? engine.memory.buffer.slice(from, from + length) : undefined;
}

addEventListener('message', ({ data }) => {
  if (data.module) {
    begin(data);
    return;
  }
  const began = performance.now();
  const answer = ask(data.question, data.files);
  const elapsed = performance.now() - began;
  const file = attached();
  postMessage({ answer, elapsed, file }, { transfer: file ? [file] : [] });
});
