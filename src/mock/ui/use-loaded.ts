import { useEffect, useState } from 'preact/hooks';
import type { Store } from './state/store.js';

/**
 * Loads a path of the control API, and again when the path or the version changes.
 *
 * @returns `undefined` before the first response. The value before while a new one is loading.
 */
export function useLoaded(store: Store, path: string, version = 0): unknown {
  const [value, setValue] = useState<unknown>(undefined);
  useEffect(() => {
    let isCurrent = true;
    store.api.send('GET', path).then(
      (result) => {
        if (isCurrent) setValue(result);
      },
      (error: unknown) => {
        if (isCurrent) store.fail(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [store, path, version]);
  return value;
}
