// Probes of waits: Retry-After, the rate limit, and the end of a wait.
import { PET, seconds } from './probe-text.mjs';
import { sendError, sendJson } from './server.mjs';

const HOUR_MS = 3_600_000;
/** 21 calls: one learns of the limit, the others could know. */
const CALLS = 20;

export const waitProbes = [
  {
    id: 'retry-after',
    title: '429 with `Retry-After: 120`',
    want: 'sends nothing before',
    run: (tools) => sendsBefore(tools, '120', 35_000),
  },
  {
    id: 'huge-retry-after',
    title: '429 with `Retry-After: 9999999`, more than a timer can hold',
    want: 'sends nothing before',
    run: (tools) => sendsBefore(tools, '9999999', 20_000),
  },
  {
    id: 'clock-behind',
    title: "Retry-After is a date in 3 s, the server's clock is 1 h behind",
    want: 'sends again after 3 s',
    run: (tools) => skewed(tools, -HOUR_MS),
  },
  {
    id: 'clock-ahead',
    title: "Retry-After is a date in 3 s, the server's clock is 1 h ahead",
    want: 'sends again after 3 s',
    run: (tools) => skewed(tools, HOUR_MS),
  },
  { id: 'known-limit', title: '21 calls while a 429 says 3 s: requests sent', want: '1', run: knownLimit },
  {
    id: 'remaining',
    title: 'A response says `X-RateLimit-Remaining: 0`: the next call',
    want: 'waits for the reset',
    run: remaining,
  },
  { id: 'abort', title: 'Abort during a wait of 6 s: rejects after', want: 'at once', run: abort },
];

async function sendsBefore({ serve, connect, listBody, time }, retryAfter, limitMs) {
  const server = await serve(({ index }, response) => {
    if (index < 4) sendLimited(response, retryAfter, time.now() + 1_000 * retryAfter);
    else sendJson(response, 200, listBody([PET]));
  });
  const outcome = await time.outcomeOf(connect(server).list(), limitMs);
  const [first, ...early] = server.requests.map(({ atMs }) => atMs);
  if (early.length > 0) {
    const times = early.slice(0, 3).map((atMs) => seconds(atMs - first));
    return { text: `sends after ${times.join(', ')}`, good: false };
  }
  return { text: outcome.isPending ? 'waits' : 'rejects at once', good: true };
}

async function skewed({ serve, connect, listBody, time }, offsetMs) {
  const dateIn = (ms) => new Date(time.now() + offsetMs + ms).toUTCString();
  const server = await serve(({ index }, response) => {
    response.setHeader('date', dateIn(0));
    if (index === 0) sendLimited(response, dateIn(3_000), time.now() + offsetMs + 3_000);
    else sendJson(response, 200, listBody([PET]));
  });
  const outcome = await time.outcomeOf(connect(server).list(), 12_000);
  const [first, second] = server.requests.map(({ atMs }) => atMs);
  if (second !== undefined) {
    const waitMs = second - first;
    // The two dates have no milliseconds. They can differ by one second more.
    return { text: seconds(waitMs), good: waitMs >= 2_900 && waitMs <= 6_000 };
  }
  if (outcome.isPending) return { text: 'waits more than 12 s', good: false };
  return { text: 'does not retry', good: null };
}

async function knownLimit({ serve, connect, listBody, time }) {
  const limitedUntil = () => (server.requests[0]?.atMs ?? 0) + 3_000;
  const server = await serve(({ atMs }, response) => {
    const leftMs = limitedUntil() - atMs;
    if (leftMs > 0) sendLimited(response, String(Math.ceil(leftMs / 1_000)), time.now() + leftMs);
    else sendJson(response, 200, listBody([PET]));
  });
  const { list } = connect(server);
  const calls = [list()];
  await time.pass(200);
  for (let call = 0; call < CALLS; call += 1) calls.push(list());
  for (const call of calls) call.catch(() => {});
  await time.pass(2_500);
  const sent = server.requests.filter(({ atMs }) => atMs < limitedUntil()).length;
  return { text: String(sent), good: sent === 1 };
}

async function remaining({ serve, connect, listBody, time }) {
  const resetAt = Math.ceil(time.now() / 1_000) + 3;
  const server = await serve(({ index }, response) => {
    const leftMs = Math.max(0, resetAt * 1_000 - time.now());
    sendJson(response, 200, listBody([PET]), {
      ...rateHeaders(index === 0 ? 0 : 59, index === 0 ? resetAt : resetAt + 60),
      // What discord reads.
      'x-ratelimit-reset-after': String(leftMs / 1_000),
    });
  });
  const { list } = connect(server);
  await time.outcomeOf(list(), 5_000);
  const resetInMs = resetAt * 1_000 - time.now() - 20;
  const from = time.elapsedMs();
  await time.outcomeOf(list(), 10_000);
  const [, second] = server.requests.map(({ atMs }) => atMs - from);
  if (second === undefined) return { text: 'does not send', good: false };
  // A few clients spread requests by some 100 ms.
  if (second < 500) return { text: 'sends at once', good: false };
  return { text: `waits ${seconds(second)}`, good: second >= resetInMs };
}

async function abort({ adapter, serve, connect, time }) {
  if (adapter.signal === 'none') return { text: 'no signal', good: null };
  const server = await serve((_, response) => sendLimited(response, '6', time.now() + 6_000));
  const controller = new AbortController();
  const call = connect(server).list({ signal: controller.signal });
  const early = await time.outcomeOf(call, 1_000);
  if (!early.isPending) return { text: 'does not wait', good: null };
  const abortedAt = time.elapsedMs();
  controller.abort(new Error('stop'));
  const outcome = await time.outcomeOf(call, 15_000);
  if (outcome.isPending) return { text: 'not within 15 s', good: false };
  const ms = time.elapsedMs() - abortedAt;
  return { text: seconds(ms), good: ms < 500 };
}

/** Sends a 429 as the service does, with the headers of the rate limit: octokit reads only these. */
function sendLimited(response, retryAfter, resetAtMs) {
  const headers = rateHeaders(0, Math.ceil(resetAtMs / 1_000));
  sendError(response, 429, { 'retry-after': retryAfter, ...headers });
}

function rateHeaders(remaining, resetAt) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAt),
  };
}
