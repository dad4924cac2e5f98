/** Short sounds made of tones, without files. */

/**
 * @typedef {'move' | 'capture' | 'king' | 'start' | 'end' | 'notify' | 'low' | 'edge'} Sound
 * @typedef {[from: number, frequency: number, length: number, loudness: number]} Tone in seconds and hertz
 */

/** @type {{[sound in Sound]: Tone[]}} */
const SOUNDS = {
  move: [[0, 320, 0.06, 0.5], [0, 190, 0.09, 0.6]],
  capture: [[0, 300, 0.05, 0.6], [0.05, 160, 0.12, 0.8]],
  king: [[0, 392, 0.1, 0.4], [0.09, 523, 0.1, 0.4], [0.18, 659, 0.18, 0.4]],
  start: [[0, 392, 0.12, 0.4], [0.12, 587, 0.2, 0.4]],
  end: [[0, 523, 0.15, 0.4], [0.15, 392, 0.15, 0.4], [0.3, 330, 0.3, 0.4]],
  notify: [[0, 660, 0.1, 0.4], [0.12, 880, 0.16, 0.4]],
  low: [[0, 880, 0.07, 0.5], [0.14, 880, 0.07, 0.5]],
  edge: [[0, 120, 0.08, 0.5]],
};

/** @type {AudioContext | null} */
let context = null;

/** Browsers that let sounds be heard do so within this time, in milliseconds. */
const UNLOCK_MS = 400;

/** How long silence lasts before the device rests, in milliseconds: it takes processor time without a sound too. */
const REST_MS = 5000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let rest;

/** Lets sounds be heard: many browsers allow them from the first touch on. Resolves once they do. */
export async function unlock() {
  const audio = context ??= new AudioContext();
  clearTimeout(rest);
  rest = setTimeout(() => audio.suspend(), REST_MS);
  await audio.resume().catch(() => {});
  return audio;
}

/** @param {Sound} sound @param {() => void} [blocked] what to do where the browser lets no sound be heard yet */
export function playSound(sound, blocked) {
  let isLate = false;
  unlock().then((audio) => isLate || audio.state !== 'running' || SOUNDS[sound].forEach((tone) => playTone(audio, tone)));
  setTimeout(() => {
    isLate = true;
    if (context?.state !== 'running') blocked?.();
  }, UNLOCK_MS);
}

/** @param {AudioContext} audio @param {Tone} tone */
function playTone(audio, [from, frequency, length, loudness]) {
  const start = audio.currentTime + from;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness * 0.35, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length + 0.02);
}
