/* global globalThis */
import { Files } from '../../../../web/js/actions/files.js';
import { equal } from './check.js';

/** A tab whose server reads a game for each line of a text. Only letters of one byte. */
function tab() {
  const kept = new Map();
  const asked = [];
  globalThis.location = { origin: 'http://x' };
  globalThis.URL = class { constructor(path) { this.search = path.slice('/analysis'.length); } };
  globalThis.Blob = class {
    constructor([text]) { this.text = text; }
    slice(from, to) { return new Blob([this.text.slice(from, to)]); }
  };
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  globalThis.fetch = async (_, { body: { text } }) => {
    asked.push(text.length);
    const list = text.split('\n').map((line, i) => ({ from: text.indexOf(line), to: text.indexOf(line) + line.length, plies: i }));
    return { json: () => ({ list, game: 1, white: text.split('\n')[0].slice(0, 9), moves: [], start_fen: 'W:WKa1:BKh8' }) };
  };
  return { kept, asked };
}

const at = (white) => `?fen=W:WKa1:BKh8&white=${white}`;

export async function a_text_is_read_again_after_a_reload() {
  const { asked } = tab();
  const before = new Files();
  await before.open('anna\nboris', '');
  await before.choose(1);
  equal([before.path, before.file.chosen], [`/analysis${at('boris')}`, 1]);
  const after = new Files();
  equal(await after.readAt(at('carl')), null, 'another address');
  equal(asked.length, 2, 'of which nothing is asked');
  equal((await after.readAt(`${at('boris')}&line=1+c3-d4`)).white, 'boris');
  equal([after.file.list.length, after.file.chosen], [2, 1]);
  equal((await after.readAt(at('boris'))).white, 'boris');
  equal(asked.length, 4, 'it is read once');
}

export async function a_long_text_is_not_kept() {
  const { kept } = tab();
  const files = new Files();
  await files.open('anna', '');
  equal(kept.size, 1);
  await files.open('b'.repeat(2 ** 20 + 1), '');
  equal(kept.size, 0);
  equal(await new Files().readAt(at('bbbbbbbbb')), null);
}

export async function a_browser_that_keeps_nothing_opens_texts_all_the_same() {
  tab();
  delete globalThis.sessionStorage;
  const files = new Files();
  await files.open('anna', '');
  equal((await files.readAt(at('anna'))).white, 'anna');
  equal(await new Files().readAt(at('anna')), null);
}
