import { describe, expect, test } from 'vitest';
import { isPetStoreError } from '../../src/errors.js';
import { corpus, fuzz, mutate, oneOf, type Random } from '../support/random-runs.js';
import { rawThenEnd, startScriptedServer, type ScriptedServer } from '../support/scripted-server.js';
import { KEY, openStore, TRANSPORTS } from '../support/stores.js';

const RESPONSES = Object.entries(corpus('http-responses'));
const PIECES = [...'\r\n\0: "', '\r\n', '0\r\n\r\n', 'Content-Length: 9\r\n', '9007199254740993', '[['];
/** A call that takes longer hangs. */
const HANG_MS = 30_000;

const sent: { bytes: Uint8Array } = { bytes: Buffer.alloc(0) };

/** Lists or creates over a connection of its own. Returns what is wrong with the outcome. */
async function check(server: ScriptedServer, transport: (typeof TRANSPORTS)[number][1], random: Random) {
  const { store } = openStore(server.baseUrl, {
    transport: transport(),
    retry: { attemptsMax: 1, waitMaxMs: 0 },
  });
  const isWrite = random() < 0.5;
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('hangs'), HANG_MS);
  });
  const call = isWrite ? store.pets.create({ name: 'Rex', categoryId: 7 }) : store.pets.list();
  const ended = call.then((value) => {
    const pets = [value].flat();
    return pets.every(({ id, name }) => typeof id === 'bigint' && typeof name === 'string')
      ? undefined
      : 'no pet';
  }, findProblem);
  const problem = await Promise.race([ended, hung]);
  clearTimeout(timer);
  return problem;
}

function findProblem(error: unknown): string | undefined {
  if (!isPetStoreError(error)) return `throws ${String(error)}`;
  const text = JSON.stringify(error);
  if (text.includes(KEY)) return 'has the key';

  if (/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(error.message)) return `is not printable: ${text}`;
  return undefined;
}

describe.each(TRANSPORTS)('any response over %s is pets or a typed error', (_, transport) => {
  test.each(RESPONSES)(
    '%s',
    async (_name, text) => {
      sent.bytes = Buffer.from(text, 'latin1');
      const server = await startScriptedServer(
        (socket, request) => void rawThenEnd(sent.bytes)(socket, request),
      );
      for (const method of [0, 0.9]) expect(await check(server, transport, () => method)).toBeUndefined();
    },
    120_000,
  );

  test('random changes of them', async () => {
    const server = await startScriptedServer(
      (socket, request) => void rawThenEnd(sent.bytes)(socket, request),
    );
    await fuzz(60, async (random) => {
      sent.bytes = mutate(random, Buffer.from(oneOf(random, RESPONSES)[1], 'latin1'), PIECES);
      const problem = await check(server, transport, random);
      if (problem !== undefined)
        expect.unreachable(`${problem}: ${JSON.stringify(Buffer.from(sent.bytes).toString('latin1'))}`);
    });
  }, 600_000);
});
