import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('--mock needs no key, no address and no network, and always lists the same pets', async () => {
  const first = await runFake('pets list --mock --json', { env: {} });
  expect(first).toMatchObject({ exitCode: 0, requests: [] });
  expect((await runFake('pets list --mock --json', { env: {} })).stdout).toBe(first.stdout);
});

test.each([
  ['nowhere.pem', /^error: --ca: "nowhere\.pem" can't be read/],
  ['.', /^error: --ca: "\." can't be read/],
  ['text.pem', /^error: --ca: "text\.pem" contains no certificate/],
  ['truncated.pem', /^error: --ca: certificate 1 of "truncated\.pem" can't be read/],
])('--mock checks the file of --ca, %s', async (file, said) => {
  const truncated = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const currentDirectory = temporaryFolder({ 'text.pem': 'no certificate', 'truncated.pem': truncated });
  const { exitCode, stdout, stderr } = await runFake(`pets list --mock --ca ${file}`, { currentDirectory });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(said);
});
