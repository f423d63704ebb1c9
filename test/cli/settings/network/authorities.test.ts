import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAuthorities, readCertificates } from '../../../../src/cli/settings/network/authorities.js';
import { ROOT } from '../../../support/source-tree.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const ROOT_FILE = join(ROOT, 'test/domain/certificates/root.pem');
const SHOP = join(ROOT, 'test/domain/certificates/shop.pem');
const context = (files: Record<string, unknown> = {}, env: Record<string, string> = {}) => ({
  currentDirectory: temporaryFolder(files),
  env,
});

const subjects = (pem = '') =>
  (pem.match(/-----BEGIN.*?END CERTIFICATE-----/gs) ?? []).map((block) => new X509Certificate(block).subject);

test('reads nothing without --ca, also not NODE_EXTRA_CA_CERTS', async () => {
  expect(await readAuthorities(undefined, context({}, { NODE_EXTRA_CA_CERTS: ROOT_FILE }))).toBeUndefined();
});

test('reads all certificates of the file, without the private key in it', async () => {
  const pem = await readAuthorities(SHOP, context());
  expect(subjects(pem)).toEqual(['CN=shop.example.test', 'CN=Petstore test intermediate']);
  expect(readFileSync(SHOP, 'utf8')).toContain('PRIVATE KEY');
  expect(pem).not.toContain('PRIVATE KEY');
});

test('adds the certificates of NODE_EXTRA_CA_CERTS, and ignores an unreadable file', async () => {
  const both = await readAuthorities(
    'extra.pem',
    context({ 'extra.pem': readFileSync(SHOP, 'utf8') }, { NODE_EXTRA_CA_CERTS: ROOT_FILE }),
  );
  expect(subjects(both)).toContain('CN=Petstore test root');
  expect(
    subjects(await readAuthorities(ROOT_FILE, context({}, { NODE_EXTRA_CA_CERTS: '/missing.pem' }))),
  ).toHaveLength(1);
});

test('the error names the flag or variable', async () => {
  await expect(readCertificates('NODE_EXTRA_CA_CERTS', 'missing.pem', context())).rejects.toThrow(
    /^NODE_EXTRA_CA_CERTS: "missing.pem" can't be read/,
  );
});
