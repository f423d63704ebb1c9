// Probes of responses and of what stays after a call.
import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { errorName, PET, seconds } from './probe-text.mjs';
import { sendError, sendJson } from './server.mjs';

const BIG_ID = '9007199254740993';
const SIGNAL_CALLS = 50;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

export const responseProbes = [
  {
    id: 'stalled-body',
    title: 'The body stalls, time limit 0.8 s',
    want: 'rejects',
    run: stalledBody,
  },
  { id: 'int64', title: `\`"id": ${BIG_ID}\``, want: 'exact, always the same type', run: int64 },
  { id: 'html', title: '200 with `text/html`', want: 'rejects with an error of its own', run: html },
  { id: 'key', title: 'The key in a printed error', want: 'no', run: keyInErrors },
  {
    id: 'listeners',
    title: `Listeners on a signal after ${SIGNAL_CALLS} calls`,
    want: '0',
    run: listeners,
  },
  {
    id: 'large-body',
    title: 'A body of 100 MB',
    want: 'stops at a limit',
    /** Measured without others, because it uses a core. */
    alone: true,
    run: (tools) => largeBody(tools, 100e6),
  },
];

async function stalledBody({ adapter, serve, connect, time }) {
  if (adapter.timeout === 'none') return { text: 'no time limit', good: null };
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
    response.write('[{"id":', () => server.stall(response));
  });
  const outcome = await time.outcomeOf(connect(server, { timeoutMs: 800 }).list(), 20_000);
  if (outcome.isPending) return { text: 'hangs', good: false };
  const tries = server.requests.length;
  return { text: `${seconds(time.elapsedMs())}, ${tries} ${tries === 1 ? 'try' : 'tries'}`, good: true };
}

async function int64({ adapter, serve, connect, listBody, time }) {
  if (adapter.json === 'none') return { text: 'not comparable', good: null };
  const text = JSON.stringify(listBody([{ ...PET, id: 'BIG' }, PET])).replace('"BIG"', BIG_ID);
  const server = await serve((_, response) => sendJson(response, 200, text));
  const { value } = await time.outcomeOf(connect(server).list(), 10_000);
  const [big, small] = value?.pets ?? value ?? [];
  const isExact = String(big?.id) === BIG_ID;
  if (!isExact) return { text: String(big?.id), good: false };
  const types = new Set([typeof big.id, typeof small.id]);
  return { text: `exact, ${[...types].join(' or ')}`, good: types.size === 1 };
}

async function html({ adapter, serve, connect, time }) {
  if (adapter.json === 'none') return { text: 'not comparable', good: null };
  const server = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>'),
  );
  const { error, value, isPending } = await time.outcomeOf(connect(server).list(), 15_000);
  if (isPending) return { text: 'hangs', good: false };
  if (error === undefined) {
    const type = value?.constructor?.name ?? typeof value;
    return { text: `resolves with ${type}`, good: false };
  }
  // A bare SyntaxError does not say which request failed.
  return { text: errorName(error), good: !(error instanceof SyntaxError) };
}

/** The errors of a rejected key, a failed write and a response that is not JSON. */
async function keyInErrors({ serve, connect, time }) {
  const answers = [
    (response) => sendError(response, 401),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>'),
    (response) => sendError(response, 400),
    (response) => response.socket.destroy(),
  ];
  let isInspected = false;
  let isInJson = false;
  for (const answer of answers) {
    const server = await serve((_, response) => answer(response));
    const { apiKey, create } = connect(server);
    const { error } = await time.outcomeOf(create(), 10_000);
    if (error === undefined) continue;
    isInspected ||= inspect(error).includes(apiKey);
    isInJson ||= (JSON.stringify(error) ?? '').includes(apiKey);
  }
  const shown = [isInspected && '`console.error`', isInJson && '`JSON.stringify`'].filter(Boolean);
  return { text: shown.length === 0 ? 'no' : `in ${shown.join(' and ')}`, good: shown.length === 0 };
}

async function listeners({ adapter, serve, connect, listBody, time }) {
  if (adapter.signal === 'none') return { text: 'no signal', good: null };
  const server = await serve((_, response) => sendJson(response, 200, listBody([PET])));
  const { list } = connect(server);
  const { signal } = new AbortController();
  for (let call = 0; call < SIGNAL_CALLS; call += 1) await time.outcomeOf(list({ signal }), 10_000);
  const left = getEventListeners(signal, 'abort').length;
  return { text: String(left), good: left === 0 };
}

/** @param {number} bytes size of the body, which is one JSON string. */
async function largeBody({ serve, connect, time }, bytes) {
  let sent = 0;
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('["');
    const writeMore = () => {
      while (sent < bytes) {
        sent += CHUNK.length;
        if (!response.write(CHUNK)) return;
      }
      response.end('"]');
    };
    response.on('drain', writeMore);
    writeMore();
  });
  const outcome = await time.outcomeOf(connect(server).list(), 15_000);
  if (outcome.isPending) return { text: 'reads for more than 15 s', good: false };
  if (sent >= bytes) return { text: 'reads all', good: false };
  return { text: `stops: ${errorName(outcome.error)}`, good: true };
}
