/**
 * Keeps the page for when the server cannot be reached, and tells about turns in games by correspondence. The built page has its version and files filled in; as it
 * is, nothing is kept.
 */

const VERSION = '';
/** @type {string[]} */
const FILES = [];

const KEPT = `page ${VERSION}`;

addEventListener('install', (event) => {
  const keep = async () => (await caches.open(KEPT)).addAll(FILES);
  // @ts-expect-error a service worker is told how long to wait
  event.waitUntil(VERSION && keep().then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  // @ts-expect-error as above
  event.waitUntil(tidy());
});

addEventListener('fetch', (event) => {
  // @ts-expect-error as above
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isOurs = origin === location.origin && request.method === 'GET';
  if (!VERSION || !isOurs || pathname.startsWith('/api/') || pathname === '/ws') return;
  // @ts-expect-error as above
  event.respondWith(/^\/assets\/v\//.test(pathname) ? keptFirst(request) : freshFirst(request));
});

addEventListener('push', (event) => {
  const isRussian = navigator.language.startsWith('ru');
  const [title, body] = isRussian ? ['Ваш ход', 'Партия по переписке ждёт вашего хода.'] : ['Your turn', 'A game by correspondence waits for your move.'];
  // @ts-expect-error as above
  event.waitUntil(registration.showNotification(title, { body, tag: 'turn', renotify: true, icon: '/assets/icon-512.png' }));
});

addEventListener('notificationclick', (event) => {
  const show = async () => {
    // @ts-expect-error as above
    const pages = await clients.matchAll({ type: 'window' });
    const open = pages.find((/** @type {any} */ page) => new URL(page.url).pathname === '/correspondence');
    // @ts-expect-error as above
    return open ? open.focus() : clients.openWindow('/correspondence');
  };
  // @ts-expect-error as above
  event.notification.close();
  // @ts-expect-error as above
  event.waitUntil(show());
});

/** A file that never changes. @param {Request} request */
async function keptFirst(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

/** A file that may change, or a document: all addresses of the page have the same one. @param {Request} request */
async function freshFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request.mode === 'navigate' ? '/' : request, { ignoreVary: true });
    if (!kept) throw error;
    return kept;
  }
}
