/**
 * Queries servers in turn until one gives a usable response. Starts the next one when a server fails or is slow, so that
 * a silent server delays the others only a little.
 *
 * @param query Calls `onSlow` if the server has not responded for a while.
 * @param isUsable Whether a response ends the search.
 * @returns the first usable response, otherwise the last failure; `undefined` without servers.
 */
export function firstUsable<Server, Result>(
  servers: readonly Server[],
  query: (server: Server, onSlow: () => void) => Promise<Result>,
  isUsable: (result: Result) => boolean,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    let pending = 0;
    let next = 0;
    let last: Result | undefined;
    const startNext = (): void => {
      const index = next;
      const server = servers[index];
      if (server === undefined) {
        if (pending === 0) resolve(last);
        return;
      }
      next += 1;
      pending += 1;
      // A later server was started already.
      const startOnce = (): void => {
        if (next === index + 1) startNext();
      };
      void query(server, startOnce).then((result) => {
        pending -= 1;
        if (isUsable(result)) {
          next = servers.length;
          resolve(result);
          return;
        }
        last = result;
        if (next === index + 1) startNext();
        else if (pending === 0 && next >= servers.length) resolve(last);
      });
    };
    startNext();
  });
}
