/**
 * The connection: opens, watches over and reopens a WebSocket, and never gives up, unless the
 * server says that another connection has taken over.
 */

import { retryDelay } from './backoff.js';

/**
 * @import {Message} from '../protocol.js'
 *
 * @typedef {object} Events
 * @property {() => void} opened
 * @property {(message: Message) => void} message
 * @property {(rtt: number) => void} pong a sign of life was answered after so many milliseconds
 * @property {(news: {status: 'connecting' | 'lost' | 'replaced' | 'restarting' | 'full',
 *   retryAt: number | null, attempt: number}) => void} changed
 */

const PING_EVERY_MS = 2_500;
const SILENCE_MS = 9_000;
/** After waking up a connection has to show sooner that it lives. */
const WAKE_SILENCE_MS = 2_500;
const CLOSE_RESTART = 1012;
const CLOSE_TRY_LATER = 1013;
const CLOSE_REPLACED = 4002;

export class Socket {
  /** @type {WebSocket | null} */
  #socket = null;
  #attempt = 0;
  #heardAt = 0;
  #limit = SILENCE_MS;
  /** @type {number | null} when the server asked to come back, in milliseconds from its message */
  #restartIn = null;
  #stopped = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} url @param {Events} events */
  constructor(url, events) {
    this.url = url;
    this.events = events;
    setInterval(() => this.#watch(), PING_EVERY_MS);
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects now, whatever was planned. */
  connect() {
    clearTimeout(this.#timer);
    this.#stopped = false;
    this.#drop();
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#heardAt = performance.now();
    this.#limit = SILENCE_MS;
    this.events.changed({ status: 'connecting', retryAt: null, attempt: this.#attempt });
    socket.onopen = () => {
      this.#heardAt = performance.now();
      this.events.opened();
      this.#ping();
    };
    socket.onmessage = (event) => this.#heard(event.data);
    socket.onclose = (event) => this.#closed(event.code);
  }

  /** Sends a message; says whether there is a connection to send it on. @param {Message} message */
  send(message) {
    if (!this.isOpen) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Closes and stays closed until `connect`. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  /** Closes until the page is looked at again. */
  rest() {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#drop();
    this.events.changed({ status: 'connecting', retryAt: null, attempt: this.#attempt });
  }

  /** The page is looked at again or the network is back: finds out quickly where things stand. */
  wake() {
    if (this.#stopped) return;
    if (!this.isOpen) {
      if (this.#socket?.readyState !== WebSocket.CONNECTING) this.connect();
    } else if (performance.now() - this.#heardAt > WAKE_SILENCE_MS) {
      this.#limit = WAKE_SILENCE_MS;
      this.#heardAt = performance.now();
      this.#ping();
      setTimeout(() => this.#watch(), WAKE_SILENCE_MS + 100);
    }
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {string} data */
  #heard(data) {
    this.#heardAt = performance.now();
    this.#limit = SILENCE_MS;
    const message = parse(data);
    if (!message) return;
    if (message.type === 'pong') {
      if (typeof message.t === 'number') this.events.pong(performance.now() - message.t);
      return;
    }
    if (message.type === 'joined') this.#attempt = 0;
    if (message.type === 'restarting') this.#restartIn = message.delay_ms;
    this.events.message(message);
  }

  #ping() {
    this.send({ type: 'ping', t: Math.floor(performance.now()) });
  }

  #watch() {
    if (!this.isOpen) return;
    if (performance.now() - this.#heardAt > this.#limit) this.#closed(0);
    else this.#ping();
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    if (code === CLOSE_REPLACED) {
      this.#stopped = true;
      this.events.changed({ status: 'replaced', retryAt: null, attempt: 0 });
      return;
    }
    const jitter = retryDelay(this.#attempt, Math.random());
    const delay = code === CLOSE_RESTART ? (this.#restartIn ?? 1_000) + jitter : jitter;
    const status = code === CLOSE_RESTART ? 'restarting' : code === CLOSE_TRY_LATER ? 'full' : 'lost';
    this.#restartIn = null;
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.connect(), delay);
    this.events.changed({ status, retryAt: performance.now() + delay, attempt: this.#attempt });
  }
}

/** @param {string} data @returns {Message | null} */
function parse(data) {
  try {
    const message = JSON.parse(data);
    return typeof message?.type === 'string' ? message : null;
  } catch {
    return null;
  }
}
