// Other rate limiters, each configured as its documentation says for a number of requests a minute.
import { Readable } from 'node:stream';

const BASE_URL = 'https://api.test/v1';
const MINUTE_MS = 60_000;
const TRIES_MAX = 5;
const CONCURRENT_MAX = 8;

/**
 * The limiters by name. `packages` are imported and passed to `open`, which creates the client of one process: a
 * function that makes one call.
 */
export const PEERS = {
  'loop, waits for Retry-After': {
    packages: [],
    open: ({ environment }) => retrying(() => send(environment)),
  },
  'undici RetryAgent': {
    packages: ['undici'],
    open({ environment, modules: [undici] }) {
      const dispatcher = new undici.RetryAgent(fetchDispatcher(undici, environment.fetch));
      return async () => {
        const { statusCode, body } = await undici.request(`${BASE_URL}/pets?limit=1`, { dispatcher });
        await body.dump();
        if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      };
    },
  },
  ky: {
    packages: ['ky'],
    open({ environment, modules: [{ default: ky }] }) {
      const client = ky.create({ fetch: environment.fetch });
      return () => client(`${BASE_URL}/pets?limit=1`).json();
    },
  },
  got: {
    packages: ['got'],
    open({ environment, modules: [{ default: got }] }) {
      // Its option `request` takes a function that returns the response, instead of that of node:http.
      const client = got.extend({
        request: (url, { method }) => nodeResponse(environment.fetch, url, method),
      });
      return () => client(`${BASE_URL}/pets?limit=1`).json();
    },
  },
  'p-throttle + loop': {
    packages: ['p-throttle'],
    open({ environment, perMinute, modules: [{ default: pThrottle }] }) {
      const throttle = pThrottle({ limit: perMinute, interval: MINUTE_MS, strict: true });
      return retrying(throttle(() => send(environment)));
    },
  },
  'p-queue + loop': {
    packages: ['p-queue'],
    open({ environment, perMinute, modules: [{ default: PQueue }] }) {
      const queue = new PQueue({ intervalCap: perMinute, interval: MINUTE_MS, strict: true });
      return retrying(() => queue.add(() => send(environment)));
    },
  },
  'Bottleneck, reservoir': {
    packages: ['bottleneck'],
    open({ environment, perMinute, modules: [{ default: Bottleneck }] }) {
      const limiter = new Bottleneck({
        reservoir: perMinute,
        reservoirRefreshAmount: perMinute,
        reservoirRefreshInterval: MINUTE_MS,
        maxConcurrent: CONCURRENT_MAX,
      });
      limiter.on('failed', (error, { retryCount }) =>
        retryCount + 1 < TRIES_MAX ? error.retryAfterMs : undefined,
      );
      return () => limiter.schedule(() => send(environment));
    },
  },
  'Bottleneck, minTime': {
    packages: ['bottleneck'],
    open({ environment, perMinute, modules: [{ default: Bottleneck }] }) {
      const limiter = new Bottleneck({ minTime: MINUTE_MS / perMinute, maxConcurrent: CONCURRENT_MAX });
      limiter.on('failed', (error, { retryCount }) =>
        retryCount + 1 < TRIES_MAX ? error.retryAfterMs : undefined,
      );
      return () => limiter.schedule(() => send(environment));
    },
  },
  'octokit throttling': {
    packages: ['@octokit/core', '@octokit/plugin-throttling'],
    open({ environment, modules: [{ Octokit }, { throttling }] }) {
      // As documented: one retry.
      const onLimit = (_retryAfter, _options, _octokit, retryCount) => retryCount < 1;
      const octokit = new (Octokit.plugin(throttling))({
        baseUrl: BASE_URL,
        request: { fetch: environment.fetch },
        log: { debug() {}, info() {}, warn() {}, error() {} },
        // It has one queue a process; the simulation runs many processes in one.
        throttle: { id: uniqueId(), onRateLimit: onLimit, onSecondaryRateLimit: onLimit },
      });
      return () => octokit.request('GET /pets', { limit: 1 });
    },
  },
};

let ids = 0;
function uniqueId() {
  return `process ${(ids += 1)}`;
}

async function send({ fetch }) {
  const response = await fetch(`${BASE_URL}/pets?limit=1`, { method: 'GET' });
  await response.arrayBuffer();
  if (response.ok) return;
  const retryAfterMs = 1000 * Number(response.headers.get('retry-after') ?? 1);
  throw Object.assign(new Error(`status ${response.status}`), { status: response.status, retryAfterMs });
}

/** Sends with fetch. Returns the response as node:http does: a stream with a status and headers. */
async function nodeResponse(fetch, url, method) {
  const response = await fetch(String(url), { method });
  const stream = Readable.from([Buffer.from(await response.arrayBuffer())]);
  const headers = Object.fromEntries(response.headers);
  return Object.assign(stream, { statusCode: response.status, headers });
}

/** Waits for Retry-After and repeats the request. */
function retrying(task) {
  return async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await task();
      } catch (error) {
        if (error.status !== 429 || tries === TRIES_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs));
      }
    }
  };
}

/** Creates an undici dispatcher that sends with fetch. */
function fetchDispatcher({ Dispatcher }, fetch) {
  return new (class extends Dispatcher {
    dispatch({ origin, path, method }, handler) {
      void this.#exchange(`${origin}${path}`, method, handler);
      return true;
    }

    async #exchange(url, method, handler) {
      const controller = {
        aborted: false,
        paused: false,
        reason: null,
        abort() {},
        pause() {},
        resume() {},
      };
      try {
        handler.onRequestStart(controller, {});
        const response = await fetch(url, { method });
        const body = Buffer.from(await response.arrayBuffer());
        handler.onResponseStart(controller, response.status, Object.fromEntries(response.headers), '');
        handler.onResponseData(controller, body);
        handler.onResponseEnd(controller, {});
      } catch (error) {
        handler.onResponseError(controller, error);
      }
    }
  })();
}
