import { en } from '../../../../web/js/i18n/en.js';
import { explorer as enExplorer } from '../../../../web/js/i18n/en_explorer.js';
import { study as enStudy } from '../../../../web/js/i18n/en_study.js';
import { records as enRecords } from '../../../../web/js/i18n/en_records.js';
import { ru } from '../../../../web/js/i18n/ru.js';
import { explorer as ruExplorer } from '../../../../web/js/i18n/ru_explorer.js';
import { records as ruRecords } from '../../../../web/js/i18n/ru_records.js';
import { study as ruStudy } from '../../../../web/js/i18n/ru_study.js';
import { problemText } from '../../../../web/js/core/problem.js';
import { pluralForm, pluralForms, teach, translator } from '../../../../web/js/i18n/words.js';
import { equal, truth } from './check.js';

const WORDS = { en: { ...en, ...enStudy, ...enRecords, ...enExplorer }, ru: { ...ru, ...ruStudy, ...ruRecords, ...ruExplorer } };
teach('en', en);
teach('ru', ru);

export function both_languages_have_the_same_texts() {
  equal(Object.keys(WORDS.ru).sort(), Object.keys(WORDS.en).sort());
}

export function texts_name_the_same_things() {
  const names = (word) => {
    const texts = typeof word === 'string' ? [word] : Object.values(word);
    return [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
  };
  for (const key of Object.keys(WORDS.en)) equal(names(WORDS.ru[key]), names(WORDS.en[key]), key);
}

export function words_with_a_number_have_every_form() {
  for (const language of ['en', 'ru']) {
    for (const [key, word] of Object.entries(WORDS[language])) {
      if (typeof word === 'string') continue;
      for (const form of pluralForms(language)) truth(word[form], `${language} ${key} ${form}`);
    }
  }
}

export function plural_forms() {
  equal([0, 1, 2, 11].map((n) => pluralForm('en', n)), ['other', 'one', 'other', 'other']);
  equal([0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 111, 112, 121].map((n) => pluralForm('ru', n)),
    ['many', 'one', 'few', 'few', 'many', 'many', 'many', 'many', 'one', 'few', 'many', 'many', 'many', 'one']);
  const t = translator('ru');
  equal([1, 3, 5, 21].map((n) => t('game.watchers', { n })), ['1 зритель', '3 зрителя', '5 зрителей', '21 зритель']);
}

export function what_is_missing_is_seen() {
  const t = translator('en');
  equal(t('nothing.like.it'), 'nothing.like.it');
  equal(t('game.theirMove', { color: 'black' }), 'Black to move');
}

/** Every kind of problem that the server tells in `detail`, with what it tells beside it. */
const KINDS = [
  { kind: 'light_square', square: 'b1' }, { kind: 'taken_twice', square: 'a1' }, { kind: 'man_on_last_row', color: 'white', square: 'b8' },
  { kind: 'too_many_pieces', color: 'black', n: 13 }, { kind: 'illegal', text: 'a1-b2' }, { kind: 'ambiguous', text: 'c3:e1', moves: ['c3:e5:e1', 'c3:g3:e1'] },
  { kind: 'game_type', text: '20' }, { kind: 'result', text: '2-0' }, { kind: 'results_differ' }, { kind: 'repeated_tag', text: 'White' },
  { kind: 'missing_fen' }, { kind: 'numbers', text: '22-18' }, { kind: 'no_game' },
];

export function problems_are_told_in_the_reader_s_language() {
  for (const [language, words] of Object.entries(WORDS)) {
    teach(language, words);
    const t = translator(language);
    for (const detail of KINDS) {
      const text = problemText({ code: 'bad_pdn', detail }, t);
      truth(text !== `problem.${detail.kind}` && !text.includes('bad_pdn'), `${language} ${detail.kind}: ${text}`);
    }
    for (const code of ['bad_fen', 'bad_move', 'bad_pdn', 'too_large', 'not_found', 'unreachable']) {
      truth(!problemText({ code, detail: { kind: 'syntax' } }, t).includes(code), `${language} ${code}`);
    }
  }
  const t = translator('ru');
  equal(problemText({ code: 'bad_fen', detail: KINDS[3] }, t), 'Чёрные: 13 шашек, а можно не больше 12.');
  equal(problemText({ code: 'bad_pdn', line: 2, column: 4, detail: KINDS[5] }, t), 'Строка 2, столбец 4: c3:e1 может означать c3:e5:e1, c3:g3:e1.');
  equal(problemText({ code: 'damaged' }, t), 'Сервер отказал: damaged.');
}
