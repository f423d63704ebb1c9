import type { Store } from './state/store.js';

/** Copies a text to the clipboard. Reports a failure, such as a denied permission. */
export async function copyText(store: Store, text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    store.notify(done);
  } catch {
    store.fail(new Error('The browser did not allow to copy. Select the text and copy it'));
  }
}
