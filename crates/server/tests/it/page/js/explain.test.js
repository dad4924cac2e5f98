import { asked, boundedText, ended, valueText } from '../../../../web/js/core/explain.js';
import { START } from '../../../../web/js/game/pieces.js';
import { ENDS } from '../../../../web/js/game/trace.js';
import { en } from '../../../../web/js/i18n/en.js';
import { explorer as enExplorer } from '../../../../web/js/i18n/en_explorer.js';
import { ru } from '../../../../web/js/i18n/ru.js';
import { explorer as ruExplorer } from '../../../../web/js/i18n/ru_explorer.js';
import { teach, translator } from '../../../../web/js/i18n/words.js';
import { equal, truth } from './check.js';

teach('en', { ...en, ...enExplorer });
teach('ru', { ...ru, ...ruExplorer });

const child = (node, move, value, bound) => ({ node, move, value, bound, end: 'leaf', purpose: 'move', nodes: 1 });
const detail = (more) => ({
  node: 9, path: [], fen: START, turn: 'white', played: null, purpose: 'move', reduced: null, depth: 3, low: null, high: null, end: 'exact',
  value: 39, bound: 'exact', nodes: 3, dropped: 0, children: [child(10, 'c3-b4', 12, 'exact'), child(11, 'c3-d4', 39, 'exact')], unsearched: [], ...more,
});
const BECAUSE = [undefined, { kind: 'other' }, { kind: 'root' }, ...[1, 2, 5].flatMap((plies) => [
  { kind: 'move', node: 3, plies, move: 'g3-h4' }, { kind: 're-search', node: 3, plies, move: 'g3-h4' }, { kind: 'null-window', node: 3, plies },
])];

/** Every kind of node. */
function kinds() {
  const found = [];
  for (const turn of ['white', 'black']) {
    for (const value of [39, -1280, 0, 999_997, -999_999]) {
      for (const end of ENDS.filter((name) => name !== 'cut-off')) {
        for (const bound of ['exact', 'at least', 'at most']) found.push(detail({ turn, value, end, bound, children: [] }), detail({ turn, value, end, bound }));
        found.push(detail({ turn, value, end, simulations: 21, because: { kind: 'earlier', node: 2 } }));
      }
      for (const because of BECAUSE) {
        for (const unsearched of [[], ['a3-b4'], ['a3-b4', 'e3-f4'], ['a3-b4', 'e3-f4', 'g3-f4', 'g3-h4', 'c3-b4']]) {
          found.push(detail({ turn, value, end: 'cut-off', bound: 'at least', because, unsearched, low: 17, high: 25 }));
        }
      }
    }
    for (const [low, high] of [[null, null], [5, null], [null, 5], [5, 90], [5, 6], [-999_990, 999_990]]) found.push(detail({ turn, low, high }));
    for (const purpose of ['root', 'move', 're-search', 'shallow', 'captures']) found.push(detail({ turn, purpose, depth: -2 }));
    for (const reduced of [1, 2, 5]) found.push(detail({ turn, purpose: 'reduced', reduced, depth: reduced }));
  }
  return found;
}

export function every_node_is_explained_in_whole_sentences() {
  for (const language of ['en', 'ru']) {
    const t = translator(language);
    for (const node of kinds()) {
      for (const sentence of [...asked(node, t), ...ended(node, t)]) {
        const about = `${language} ${node.end} ${node.because?.kind}: ${sentence}`;
        truth(!/explorer\.|[{}]|undefined|null(?! window)|NaN/.test(sentence), about);
        truth(!/ {2}| [.,:;]|^$/.test(sentence) && sentence.endsWith('.'), about);
      }
    }
    for (const end of ENDS) for (const of of ['kind', 'mark']) truth(!t(`explorer.${of}.${end}`).includes('explorer.'), end);
  }
}

export function a_cut_off_is_explained_with_both_bounds() {
  const t = translator('en');
  const cut = detail({ turn: 'white', end: 'cut-off', bound: 'at least', high: 17, unsearched: ['a3-b4', 'e3-f4'], because: { kind: 'move', node: 3, plies: 1, move: 'd6-c5' } });
  equal(ended(cut, t), [
    'Cut-off: after c3-d4 White gets at least +39.',
    'But a ply earlier Black can play d6-c5 instead, after which White gets no more than +17. So Black has no reason to let this position come about.',
    'Whatever the other 2 moves are worth, they cannot change the result: a3-b4, e3-f4 were not searched.',
  ]);
  const black = { ...cut, turn: 'black', value: -5, low: 17, high: null, bound: 'at most', unsearched: ['f6-g5'], because: { kind: 'move', node: 3, plies: 3, move: 'c3-d4' } };
  equal(ended(black, translator('ru')), [
    'Отсечение: после c3-d4 белые получают не больше −5.',
    'Но за 3 полухода до этого белые могут сыграть c3-d4 и получить не меньше +17. Поэтому белым незачем допускать эту позицию.',
    'Сколько бы ни стоил ход f6-g5, результата он не изменит: его не просматривали.',
  ]);
  equal(ended({ ...cut, unsearched: [], because: { kind: 'null-window', node: 3, plies: 2 } }, t).slice(1), [
    '2 plies earlier, the search only asks whether another move is better than the best so far, with a null window at +17. That is answered.',
    'No other move was left.',
  ]);
}

export function questions_and_values_are_put_into_words() {
  const t = translator('en');
  equal(asked(detail({ depth: 1, low: 5, high: 6 }), t), ['White to move.', '1 ply remains.', 'The search asks only whether the value is +5 or less, or +6 or more.']);
  equal(asked(detail({ turn: 'black', depth: -1, purpose: 'captures', high: -3 }), t),
    ['Black to move.', '0 plies remain.', 'Only captures are searched on from here.', 'Black has −3 already, so only less than that matters.']);
  equal(asked(detail({ purpose: 'reduced', reduced: 2, end: 'simulated' }), t), ['White to move.', 'The move was searched 2 plies less deep, because it comes late.']);
  equal(ended(detail({}), t), ['All moves were looked at. c3-d4 is the best: it is worth +39, which lies inside the window.']);
  equal(ended(detail({ turn: 'black', end: 'fail-low', bound: 'at least' }), t), ['All moves were looked at, and none brings White below +39. Black has better elsewhere.']);
  equal(ended(detail({ end: 'table-hit', bound: 'at most', because: { kind: 'earlier', node: 1 } }), t).length, 2);
  equal([null, 0, 7, -7, 999_999, -999_998].map((value) => valueText(value, t)), ['…', '0', '+7', '−7', '1–0 in 1 ply', '0–1 in 2 plies']);
  equal([['exact', 7], ['at least', 7], ['at most', -7], [null, null]].map(([bound, value]) => boundedText({ bound, value }, t)), ['+7', '≥ +7', '≤ −7', '–']);
}
