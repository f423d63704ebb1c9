import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAuthorities, readCertificates } from '../../../src/cli/network/authorities.js';
import { ROOT } from '../../support/source-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OWN = join(ROOT, 'test/domain/certificates/root.pem');
const SHOP = join(ROOT, 'test/domain/certificates/shop.pem');
const place = (files: Record<string, unknown> = {}, env: Record<string, string> = {}) => ({
  currentDirectory: temporaryFolder(files),
  env,
});

const subjects = (pem = '') =>
  (pem.match(/-----BEGIN.*?END CERTIFICATE-----/gs) ?? []).map((block) => new X509Certificate(block).subject);

test('without --ca nothing is read, NODE_EXTRA_CA_CERTS included', async () => {
  expect(await readAuthorities(undefined, place({}, { NODE_EXTRA_CA_CERTS: OWN }))).toBeUndefined();
});

test('reads all certificates of the file, without the private key in it', async () => {
  const read = await readAuthorities(SHOP, place());
  expect(subjects(read)).toEqual(['CN=shop.example.test', 'CN=Petstore test intermediate']);
  expect(readFileSync(SHOP, 'utf8')).toContain('PRIVATE KEY');
  expect(read).not.toContain('PRIVATE KEY');
});

test('adds those of NODE_EXTRA_CA_CERTS, and ignores a file that cannot be read', async () => {
  const both = await readAuthorities(
    'own.pem',
    place({ 'own.pem': readFileSync(SHOP, 'utf8') }, { NODE_EXTRA_CA_CERTS: OWN }),
  );
  expect(subjects(both)).toContain('CN=Petstore test root');
  expect(
    subjects(await readAuthorities(OWN, place({}, { NODE_EXTRA_CA_CERTS: '/nowhere.pem' }))),
  ).toHaveLength(1);
});

test.each([
  ['nowhere.pem', /"nowhere.pem" can't be read \(ENOENT\)/],
  ['.', /it is a directory/],
  ['empty.pem', /contains no certificate/],
  ['torn.pem', /certificate 1 of "torn.pem" can't be read/],
])('rejects %s', async (file, said) => {
  const torn = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  await expect(readAuthorities(file, place({ 'empty.pem': '', 'torn.pem': torn }))).rejects.toThrow(said);
});

test('the error names the flag or variable', async () => {
  await expect(readCertificates('NODE_EXTRA_CA_CERTS', 'nowhere.pem', place())).rejects.toThrow(
    /^NODE_EXTRA_CA_CERTS: "nowhere.pem" can't be read/,
  );
});
