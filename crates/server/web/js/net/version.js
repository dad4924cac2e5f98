/** An upgraded server no longer has the modules of a page that was loaded before. */

const RELOADED_KEY = 'checkers.reloaded';

/** Reloads the page if the server no longer has its modules; once for each version, so that it cannot loop. */
export async function reloadIfOutdated() {
  try {
    const address = document.querySelector('script')?.src ?? '';
    const answer = await fetch(address, { method: 'HEAD', cache: 'no-store' });
    if (answer.status !== 404 || sessionStorage.getItem(RELOADED_KEY) === address) return;
    sessionStorage.setItem(RELOADED_KEY, address);
    location.reload();
  } catch {
    // The server cannot be reached, or the browser stores nothing.
  }
}
