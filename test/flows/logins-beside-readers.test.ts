import { afterAll, expect, test } from 'vitest';
import { createServer } from 'node:http';
import { listening } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Logins switch a profile between two hosts, while other processes list pets. Readers take no lock.

const LOGINS = IS_FULL ? 24 : 2;
const READERS = IS_FULL ? 3 : 2;

const received: string[] = [];
const urls: string[] = [];
for (const host of ['a', 'b']) {
  const server = createServer(({ headers }, response) => {
    received.push(`${host} ${String(headers.authorization)}`);
    response.setHeader('content-type', 'application/json').end('[]');
  });
  urls.push(`http://127.0.0.1:${String(await listening(server, afterAll))}/v1`);
}

test('no request has the key of the other host, and no reader fails', async () => {
  const env = { PETSTORE_CONFIG_DIR: temporaryFolder(), DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
  const logIn = async (index: number): Promise<void> => {
    const host = index % 2;
    const line = ['auth', 'login', '--with-key', '--insecure-storage', '--base-url', urls[host]!];
    const { exitCode, stderr } = await runCli(line, { env, input: `sk-${'ab'[host]!}-${String(index)}` });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  };
  await logIn(0);
  let isOver = false;
  const failures: string[] = [];
  const read = async (): Promise<void> => {
    while (!isOver) {
      const { exitCode, stderr } = await runCli(['pets', 'list'], { env });
      if (exitCode !== 0) failures.push(stderr);
    }
  };
  const readers = Array.from({ length: READERS }, read);
  for (let index = 1; index <= LOGINS; index += 1) await logIn(index);
  isOver = true;
  await Promise.all(readers);
  expect(failures).toEqual([]);
  expect(received.length).toBeGreaterThan(2 * LOGINS);
  expect(received.filter((line) => !/^(\w) Bearer sk-\1-/.test(line))).toEqual([]);
}, 120_000);
