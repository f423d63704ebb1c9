// Probes of writes: how often a POST is sent whose outcome is unknown.
import { PET, seconds } from './probe-text.mjs';
import { sendError, sendJson } from './server.mjs';

const TIMEOUT_MS = 800;

export const writeProbes = [
  {
    id: 'post-lost',
    title: 'POST, the connection breaks after the request: POSTs sent',
    want: '1',
    run: (tools) => countPosts(tools, (_, response) => response.socket.destroy()),
  },
  {
    id: 'post-503',
    title: 'POST, 503: POSTs sent',
    want: '1',
    run: (tools) => countPosts(tools, (_, response) => sendError(response, 503)),
  },
  { id: 'post-timeout', title: 'POST, no response in 0.8 s: POSTs sent', want: '1', run: postTimeout },
  {
    id: 'redirect',
    title: 'POST, 307 to another origin: what it receives',
    want: 'nothing',
    run: redirect,
  },
];

async function countPosts({ serve, connect, time }, respond, settings) {
  const server = await serve(respond);
  const outcome = await time.outcomeOf(connect(server, settings).create(), 15_000);
  return postsOf(server.requests, outcome);
}

async function postTimeout({ adapter, serve, connect, listBody, time }) {
  if (adapter.timeout === 'none') return { text: 'no time limit', good: null };
  const server = await serve(({ index }, response) => {
    if (index === 0) sendJson(response, 200, listBody([PET]));
    else server.stall(response);
  });
  const { list, create } = connect(server, { timeoutMs: TIMEOUT_MS });
  // What the first call loads and connects is not part of the time.
  await time.outcomeOf(list(), 10_000);
  const startedAt = time.elapsedMs();
  const outcome = await time.outcomeOf(create(), 15_000);
  if (outcome.isPending) return { text: 'hangs', good: false };
  const { text, good } = postsOf(server.requests.slice(1), outcome);
  return { text: `${text}, in ${seconds(time.elapsedMs() - startedAt)}`, good };
}

/** Repetitions with one idempotency key are safe at a service that knows such keys. */
function postsOf(requests, { isPending }) {
  const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  const hasKey = requests.length > 1 && keys.size === 1 && !keys.has(undefined);
  const count = `${requests.length}${isPending ? ' or more' : ''}${hasKey ? ', same key' : ''}`;
  return { text: count, good: requests.length === 1 || hasKey };
}

async function redirect({ serve, connect, time }) {
  const other = await serve((_, response) => sendError(response, 500));
  const location = `${other.baseUrl}/pets`;
  const server = await serve((_, response) => response.writeHead(307, { location }).end());
  await time.outcomeOf(connect(server).create(), 10_000);
  const [received] = other.requests;
  if (received === undefined) return { text: 'nothing', good: true };
  const parts = [received.body === '' ? 'a request' : 'the body'];
  if (received.headers.authorization !== undefined) parts.push('the key');
  return { text: parts.join(' and '), good: false };
}
