import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { IS_FULL } from '../../../support/random-runs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const LINE = '--mock domain records';

test('shortens a long value in a warning, and prints it whole in JSON', async () => {
  const { stderr } = await runFake(`${LINE} large.example.test`);
  expect(stderr.length).toBeLessThan(400);
  const { stdout } = await runFake(`${LINE} large.example.test --json`);
  expect(JSON.parse(stdout).remove[0].value.length).toBeGreaterThan(1_000);
});

test('prints a list of several domains, also if only one name is valid', async () => {
  const { stdout } = await runFake(`${LINE} shop.example.test co.uk --json domains`);
  expect(JSON.parse(stdout)).toMatchObject({ domains: [{ domain: { ascii: 'shop.example.test' } }] });
});

test.each([
  ['shop.dnssec.test', 'after at most 1 day'],
  ['shop.split.test', 'after at most 15 min'],
  ['any.wild.example.test', 'Visible at once.'],
])('says when a change at another place is visible: %s: %s', async (name, words) => {
  const { stdout } = await runFake(`${LINE} ${name}`, { terminals: ['stdout'], env: { NO_COLOR: '1' } });
  expect(stdout).toContain(words);
});

describe('on a terminal', () => {
  test('keeps lines within 80 columns', async () => {
    // A silent name server takes seconds.
    const silent = IS_FULL ? 'shop.silent.test' : '';
    const names = `xn--9ckk6c.example.test shop.example.test empty.test wrong.example.test ${silent}`.trim();
    const { stdout } = await runFake(`${LINE} ${names}`, { terminals: ['stdout'], env: { NO_COLOR: '1' } });
    expect(stdout).toContain('ペット.example.test (xn--9ckk6c.example.test)');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }, 30_000);
});

test.each(['records', 'verify'])(
  '--mock domain %s uses the domains in .test of the project file',
  async (verb) => {
    const currentDirectory = temporaryFolder({
      'petstore.config.json': '{ "domains": ["shop.example.com", "shop.example.test"] }',
    });
    const { stdout } = await runFake(`--mock domain ${verb} --json`, { currentDirectory });
    expect(JSON.parse(stdout)).toMatchObject({ domain: { ascii: 'shop.example.test' } });
  },
);
