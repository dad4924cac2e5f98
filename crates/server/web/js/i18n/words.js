/** Texts by language, with the plural forms of each. */

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
/** The words of the pages that are loaded later. */
const MORE = {
  en: async () => (await import('./en_study.js')).study,
  ru: async () => (await import('./ru_study.js')).study,
};
let wantsMore = false;
/** @type {Set<Language>} */
const hasMore = new Set();

/** @param {Language} language @param {Words} words */
export function teach(language, words) {
  WORDS[language] = words;
}

/**
 * Gets the words of a language, if they are not there already.
 * @param {Language} language
 * @param {boolean} [more] those of the pages that are loaded later too, from now on
 * @returns {Promise<boolean>} whether they are there
 */
export async function learn(language, more = false) {
  wantsMore ||= more;
  try {
    if (!WORDS[language]) teach(language, await LOADERS[language]());
    if (wantsMore && !hasMore.has(language)) teach(language, { ...WORDS[language], ...await MORE[language]() });
    if (wantsMore) hasMore.add(language);
    return true;
  } catch {
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
