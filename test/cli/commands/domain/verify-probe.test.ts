import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { pemOf, serveHttps } from '../../../domain/loopback-servers.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { serveDns, TARGET } from './served-dns.js';

const BLOCKED = 'blocked.example.test';

/** Runs a check of a name with addresses instead of the CNAME. */
async function verify(certificates: Readonly<Record<string, string>>, ...flags: string[]) {
  await using dns = await serveDns();
  const requests: string[] = [];
  const port = await serveHttps((request, response) => {
    requests.push(request.headers.host ?? '');
    response.writeHead(200).end();
  }, certificates);
  const currentDirectory = temporaryFolder({ 'ca.pem': pemOf('root') });
  const probe = ['--connect', '127.0.0.1', '--https-port', String(port), '--ca', 'ca.pem'];
  const facts = ['--plan', 'pro', '--deployed', ...dns.flags];
  const line = ['domain', 'verify', BLOCKED, ...facts, ...probe, '-o', 'table', ...flags];
  return { ...(await runFake(line, { currentDirectory })), requests };
}

const SAME = { [BLOCKED]: 'platform', [TARGET]: 'platform' };

test('--probe turns a conflict into a warning if the platform serves the domain', async () => {
  const { exitCode, stdout, requests } = await verify(SAME, '--probe');
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The platform serves the domain nevertheless. [conflict.address]',
  );
  expect(stdout).toContain('Served by: the platform (same certificate as the target).');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The platform serves the domain, probably through a proxy. DNS shows other records',
  );
  expect(stdout).toMatch(/ {2}Record: A [\d.]+(, |\n)/);
  expect(stdout).not.toContain('Correct at');
  expect(new Set(requests)).toEqual(new Set([BLOCKED, TARGET]));
});

test('-v shows the responses, and the next commands repeat --probe', async () => {
  const { stdout } = await verify({ [BLOCKED]: 'stranger', [TARGET]: 'platform' }, '--probe', '-v');
  expect(stdout).toContain('Platform: unproved');
  expect(stdout).toMatch(/blocked\.example\.test +127\.0\.0\.1 +HTTP 200 +[\dA-F:]{23}\n/);
  expect(stdout).toMatch(/petstore domain verify [^]*--probe\b/);
});

test('without --probe nothing is requested', async () => {
  const { exitCode, requests } = await verify(SAME);
  expect(exitCode).toBe(1);
  expect(requests).toEqual([]);
});

test('--probe requests the web servers of --mock', async () => {
  const { exitCode, stdout } = await runFake('--mock domain verify shop.example.test --probe --json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).certificate.addresses).toHaveLength(2);
  expect(stdout).not.toContain('not probed');
});
