import { playSound, unlock } from '../../../../web/js/ui/sound.js';
import { equal } from './check.js';

/** Counts the tones that it plays. */
class Device {
  state = 'suspended';
  tones = 0;
  currentTime = 0;
  destination = {};
  isAllowed = true;
  /** @type {(() => void)[]} */
  waiting = [];

  constructor() {
    latest = this;
  }

  resume() {
    return new Promise((done) => {
      this.waiting.push(() => done(this.state = 'running'));
      if (this.isAllowed) this.allow();
    });
  }

  async suspend() {
    this.state = 'suspended';
  }

  allow() {
    for (const wake of this.waiting.splice(0)) wake();
  }

  createOscillator() {
    this.tones += 1;
    const node = { frequency: {}, start() {}, stop() {}, connect: (/** @type {any} */ next) => next };
    return node;
  }

  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect() {} };
  }
}

/** @type {Device} */
let latest;
/** @type {{ run: () => void, after: number }[]} */
const timers = [];
let now = 0;
Object.assign(globalThis, {
  AudioContext: Device,
  setTimeout: (/** @type {() => void} */ run, /** @type {number} */ after) => timers.push({ run, after: now + after }),
  clearTimeout: (/** @type {number} */ id) => id && (timers[id - 1].run = () => {}),
});

/** Lets time pass. @param {number} ms */
async function wait(ms) {
  now += ms;
  for (const timer of timers) {
    if (timer.after <= now) timer.run();
    if (timer.after <= now) timer.run = () => {};
  }
  for (let turn = 0; turn < 5; turn += 1) await null;
}

export async function the_device_rests_after_silence_and_wakes_for_a_sound() {
  unlock();
  await wait(4000);
  equal(latest.state, 'running');
  const before = latest.tones;
  playSound('edge');
  await wait(0);
  await wait(4000);
  equal([latest.state, latest.tones], ['running', before + 1]);
  await wait(1000);
  equal(latest.state, 'suspended');
  playSound('edge');
  await wait(0);
  equal([latest.state, latest.tones], ['running', before + 2]);
}

export async function a_sound_that_the_browser_does_not_allow_is_not_heard_later() {
  unlock();
  await wait(5000);
  latest.isAllowed = false;
  const before = latest.tones;
  let blocked = 0;
  playSound('edge', () => { blocked += 1; });
  await wait(400);
  equal(blocked, 1);
  latest.isAllowed = true;
  latest.allow();
  await wait(0);
  equal(latest.tones, before);
}
