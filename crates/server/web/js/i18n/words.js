/** Texts by language, with the plural forms of each. */

import { reloadIfOutdated } from '../net/version.js';

/**
 * @import {Language} from '../core/settings.js'
 *
 * @typedef {'one' | 'few' | 'many' | 'other'} PluralForm
 * @typedef {{[form in PluralForm]?: string}} Plural
 * @typedef {{[key: string]: string | Plural}} Words
 * @typedef {{[name: string]: string | number | null | undefined}} Params
 * @typedef {(key: string, params?: Params) => string} Translate
 */

/** @type {{[language in Language]?: Words}} those that have been loaded */
const WORDS = {};
const LOADERS = {
  en: async () => (await import('./en.js')).en,
  ru: async () => (await import('./ru.js')).ru,
};
/**
 * The words of the pages that are loaded later.
 * @typedef {'study' | 'records' | 'moderation' | 'explorer'} MoreWords
 * @type {{[set in MoreWords]: {[language in Language]: () => Promise<Words>}}}
 */
const MORE = {
  study: {
    en: async () => (await import('./en_study.js')).study,
    ru: async () => (await import('./ru_study.js')).study,
  },
  records: {
    en: async () => (await import('./en_records.js')).records,
    ru: async () => (await import('./ru_records.js')).records,
  },
  moderation: {
    en: async () => (await import('./en_moderation.js')).moderation,
    ru: async () => (await import('./ru_moderation.js')).moderation,
  },
  explorer: {
    en: async () => (await import('./en_explorer.js')).explorer,
    ru: async () => (await import('./ru_explorer.js')).explorer,
  },
};
/** @type {Set<MoreWords>} */
const wantedMore = new Set();
/** What has been loaded, such as `ru study`. @type {Set<string>} */
const knownMore = new Set();

/** @param {Language} language @param {Words} words */
export function teach(language, words) {
  WORDS[language] = words;
}

/**
 * Gets the words of a language, if they are not there already.
 * @param {Language} language
 * @param {MoreWords} [more] those of these pages too, from now on
 * @returns {Promise<boolean>} whether they are there
 */
export async function learn(language, more) {
  if (more) wantedMore.add(more);
  try {
    if (!WORDS[language]) teach(language, await LOADERS[language]());
    for (const name of wantedMore) {
      if (knownMore.has(`${language} ${name}`)) continue;
      const words = await MORE[name][language]();
      teach(language, { ...WORDS[language], ...words });
      knownMore.add(`${language} ${name}`);
    }
    return true;
  } catch {
    reloadIfOutdated();
    return false;
  }
}

/**
 * The form of a word after a whole number.
 *
 * CITE: Unicode CLDR 47, cardinal plural rules of `en` and `ru`.
 * @param {Language} language
 * @param {number} n
 * @returns {PluralForm}
 */
export function pluralForm(language, n) {
  if (language === 'en') return n === 1 ? 'one' : 'other';
  const [ten, hundred] = [n % 10, n % 100];
  if (ten === 1 && hundred !== 11) return 'one';
  return ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14) ? 'few' : 'many';
}

/** The forms that a language has. @param {Language} language @returns {PluralForm[]} */
export function pluralForms(language) {
  return language === 'en' ? ['one', 'other'] : ['one', 'few', 'many', 'other'];
}

/**
 * A language's texts as a function. `{name}` in a text is replaced by the parameter of that name,
 * and `n` chooses the plural form. A colour is given as `white` or `black`.
 * @param {Language} language
 * @returns {Translate}
 */
export function translator(language) {
  const words = WORDS[language] ?? {};
  /** @type {Translate} */
  const translate = (key, params = {}) => {
    const word = words[key];
    if (word == null) return key;
    const text = typeof word === 'string' ? word : word[pluralForm(language, Number(params.n))] ?? word.other ?? key;
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = params[name];
      if (name === 'color' && value != null) return translate(`color.${value}`);
      return value == null ? '' : String(value);
    });
  };
  return translate;
}
