import { expect, test } from 'vitest';
import { createMockTransport } from '../../../src/cli/network/mock-transport.js';
import { runFake } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('responds in this process, and requires its key', async () => {
  const { transport, apiKey } = await createMockTransport();
  const send = (authorization: string) =>
    transport.send({
      method: 'GET',
      origin: 'http://127.0.0.1',
      path: '/v1/pets?limit=2',
      headers: { authorization },
      bodyMaxBytes: 1e6,
    }).response;
  const response = await send(`Bearer ${apiKey}`);
  expect(response).toMatchObject({ status: 200, end: 'complete' });
  expect(JSON.parse(new TextDecoder().decode(response.body))).toHaveLength(2);
  expect((await send('Bearer wrong')).status).toBe(401);
});

test('--mock needs no key, no address and no network, and always lists the same pets', async () => {
  const first = await runFake('pets list --mock --json', { env: {} });
  expect(first).toMatchObject({ exitCode: 0, requests: [] });
  expect((await runFake('pets list --mock --json', { env: {} })).stdout).toBe(first.stdout);
});

test.each([
  ['nowhere.pem', /^error: --ca: "nowhere\.pem" can't be read/],
  ['.', /^error: --ca: "\." can't be read/],
  ['text.pem', /^error: --ca: "text\.pem" contains no certificate/],
])('--mock checks the file of --ca, %s', async (file, said) => {
  const currentDirectory = temporaryFolder({ 'text.pem': 'no certificate' });
  const { exitCode, stdout, stderr } = await runFake(`pets list --mock --ca ${file}`, { currentDirectory });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(said);
});
