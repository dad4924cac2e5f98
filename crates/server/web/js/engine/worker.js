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
  for (const file of tables) {
    give(new Uint8Array(file));
    engine.add_tables();
  }
}

addEventListener('message', ({ data }) => {
  if (data.module) {
    begin(data);
    return;
  }
  give(new TextEncoder().encode(data.question));
  const length = engine.ask();
  postMessage({ answer: text(engine.output(), length) });
});
