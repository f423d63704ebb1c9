import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doctorIn } from '../../../support/doctor.js';
import { ROOT } from '../../../support/source-tree.js';

const { doctor, place } = doctorIn();
const AUTHORITY = join(ROOT, 'test/domain/certificates/root.pem');

describe('the Node that runs it', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };

  test('is judged by what package.json says', () => {
    expect(engines.node).toBe('^20.19.0 || ^22.13.0 || >=24');
  });

  test.each([
    ['v18.20.8', 'warn'],
    ['v20.18.3', 'warn'],
    ['v20.19.0', 'ok'],
    ['v21.7.3', 'warn'],
    ['v22.12.0', 'warn'],
    ['v22.13.0', 'ok'],
    ['v23.11.0', 'warn'],
    ['v24.0.0', 'ok'],
    ['v26.1.0', 'ok'],
  ])('%s is %s', async (nodeVersion, state) => {
    const { found } = await doctor({ nodeVersion }, '--offline');
    expect(found('program')).toMatchObject({
      state,
      finding: expect.stringContaining(`Node ${nodeVersion}`),
      details: { supported: state === 'ok' },
    });
  });
});

test('the authorities that are trusted besides', async () => {
  const { found } = await doctor({ env: { NODE_EXTRA_CA_CERTS: AUTHORITY } }, `--ca ${AUTHORITY} --offline`);
  expect(found('authorities')).toMatchObject({
    state: 'ok',
    finding: `those that Node trusts, and those of ${AUTHORITY} (--ca) and those of ${AUTHORITY} (NODE_EXTRA_CA_CERTS)`,
    details: {
      files: [
        { source: '--ca', certificates: 1 },
        { source: 'NODE_EXTRA_CA_CERTS', certificates: 1 },
      ],
    },
  });
});

test.each([
  ['[]', 'no ids are remembered for it yet: petstore pets list does'],
  ['[["1","Rex"]]', /^1 id is remembered for it in .*seen-pets\.json$/],
])('what completion remembers: %s', async (text, finding) => {
  mkdirSync(place.state, { mode: 0o700 });
  writeFileSync(join(place.state, 'seen-pets.json'), text, { mode: 0o600 });
  const check = (await doctor({}, '--offline')).found('completion');
  expect(check.state).toBe('info');
  expect(check.finding).toMatch(finding);
});
