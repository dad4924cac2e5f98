/** Notifications of turns by this browser's push service: whether they can be had, and turning them on and off. */

/**
 * @import {Account} from './account.js'
 *
 * @typedef {'off' | 'on' | 'unsupported'} Notifying what this browser does; undefined if the server sends none
 * @typedef {{key: string, subscribed: boolean, code?: string}} Offer
 */

/** @returns {boolean} */
function isSupported() {
  return 'PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window;
}

/** @param {Account} account @returns {Promise<Notifying | undefined>} */
export async function notifying(account) {
  const offer = await offered(account);
  if (!offer) return undefined;
  if (!isSupported()) return 'unsupported';
  const worker = await navigator.serviceWorker.getRegistration();
  const own = await worker?.pushManager.getSubscription();
  return offer.subscribed && own ? 'on' : 'off';
}

/** Returns the name of the problem, if there is one. @param {Account} account @returns {Promise<string | undefined>} */
export async function startNotifying(account) {
  const offer = await offered(account);
  if (!offer) return 'unreachable';
  try {
    await Notification.requestPermission();
    await navigator.serviceWorker.register('/service-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: offer.key };
    const { endpoint } = await pushManager.subscribe(options).catch(async () => {
      // Another key of the server was used before.
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
    const { code } = await account.ask('POST', '/notifications', { endpoint });
    return code && (code === 'bad_query' ? 'denied' : code);
  } catch {
    return 'denied';
  }
}

/** @param {Account} account @returns {Promise<string | undefined>} */
export async function stopNotifying(account) {
  const worker = await navigator.serviceWorker.getRegistration();
  const own = await worker?.pushManager.getSubscription();
  await own?.unsubscribe().catch(() => {});
  return (await account.ask('POST', '/notifications/end')).code;
}

/** @param {Account} account @returns {Promise<Offer | undefined>} */
async function offered(account) {
  const offer = await account.ask('GET', '/notifications');
  return offer.code ? undefined : offer;
}
