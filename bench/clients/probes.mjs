// What a client does in situations in which clients differ. Each probe has a server of its own on loopback.
export { petStoreCalls } from './adapters.mjs';
import { waitProbes } from './probe-waits.mjs';
import { writeProbes } from './probe-writes.mjs';
import { responseProbes } from './probe-responses.mjs';
import { startServer } from './server.mjs';

/**
 * @typedef {object} Cell
 * @property {string} text what the client did.
 * @property {boolean | null} good `null`: the client has no such function.
 *
 * @typedef {object} Probe
 * @property {string} id
 * @property {string} title
 * @property {string} want what a good client does.
 * @property {(tools: Tools) => Promise<Cell>} run
 */

/** @type {Probe[]} */
export const PROBES = [...waitProbes, ...writeProbes, ...responseProbes];

let opened = 0;

/**
 * Runs a probe.
 *
 * @param {Probe} probe
 * @param {import('./adapters.mjs').Adapter} adapter
 * @param {(settings: import('./adapters.mjs').Settings) => import('./adapters.mjs').Calls} open
 * @param {Time} time
 * @returns {Promise<Cell>}
 *
 * @typedef {object} Time real, or virtual in tests.
 * @property {() => number} now
 * @property {() => number} elapsedMs
 * @property {(ms: number) => Promise<void>} pass
 * @property {<T>(promise: Promise<T>, limitMs: number) => Promise<Outcome<T>>} outcomeOf waits for the end of a call.
 * @property {(server: Awaited<ReturnType<typeof startServer>>) => void} [attach]
 */
export async function runProbe(probe, adapter, open, time) {
  const servers = [];
  const serve = async (respond) => {
    const server = await startServer(time, respond);
    servers.push(server);
    time.attach?.(server);
    return server;
  };
  const connect = (server, settings = {}) => {
    // Some clients keep what they know of a key for the whole process.
    opened += 1;
    const apiKey = `probe-key-${opened}-e5b1c7`;
    return { apiKey, ...open({ baseUrl: server.baseUrl, apiKey, ...settings }) };
  };
  const listBody = (pets) => (adapter.lists === 'object' ? { ok: true, pets } : pets);
  try {
    return await probe.run({ adapter, serve, connect, listBody, time });
  } finally {
    for (const server of servers) server.close();
  }
}

/** The time of the machine. */
export function realTime() {
  const startedAt = performance.now();
  const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    now: Date.now,
    elapsedMs: () => performance.now() - startedAt,
    pass,
    async outcomeOf(promise, limitMs) {
      const ended = promise.then(
        (value) => ({ value }),
        (error) => ({ error }),
      );
      let timer;
      const limit = new Promise((resolve) => {
        timer = setTimeout(resolve, limitMs, { isPending: true });
      });
      const outcome = await Promise.race([ended, limit]);
      clearTimeout(timer);
      return outcome;
    },
  };
}
