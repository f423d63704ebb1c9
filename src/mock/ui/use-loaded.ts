import { useEffect, useState } from 'preact/hooks';
import { ResponseError } from './state/api.js';
import type { Store } from './state/store.js';

/**
 * Loads a path of the control API, and again when the path or the version changes.
 *
 * @returns `undefined` before the first response. The value before while a new one is loading. `null` after a 404, if
 *   `isOptional`; otherwise the page shows its error.
 */
export function useLoaded(store: Store, path: string, version = 0, isOptional = false): unknown {
  const [value, setValue] = useState<unknown>(undefined);
  useEffect(() => {
    let isCurrent = true;
    store.api.send('GET', path).then(
      (result) => {
        if (isCurrent) setValue(result);
      },
      (error: unknown) => {
        if (!isCurrent) return;
        if (isOptional && error instanceof ResponseError && error.status === 404) setValue(null);
        else store.fail(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [store, path, version, isOptional]);
  return value;
}
