import { en } from '../../../web/js/i18n/en.js';
import { study as enStudy } from '../../../web/js/i18n/en_study.js';
import { ru } from '../../../web/js/i18n/ru.js';
import { study as ruStudy } from '../../../web/js/i18n/ru_study.js';
import { pluralForm, pluralForms, teach, translator } from '../../../web/js/i18n/words.js';
import { equal, truth } from './check.js';

const WORDS = { en: { ...en, ...enStudy }, ru: { ...ru, ...ruStudy } };
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
