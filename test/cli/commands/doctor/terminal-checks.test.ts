import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { doctorIn } from '../../../support/doctor.js';
import { runFake } from '../../../support/fake-context.js';

const { configure, doctor, env, directories } = doctorIn();

async function terminal(more: Record<string, string>, flags: readonly string[] = []): Promise<string> {
  const query = ['--query', "checks[?id=='terminal'].finding | [0]", '-o', 'json'];
  const { stdout } = await runFake(['doctor', '--offline', ...query, ...flags], { env: env(more) });
  return JSON.parse(stripVTControlCharacters(stdout)) as string;
}

const WIDE = { PETSTORE_FORCE_TTY: '100' };

test.each<[string, Record<string, string>, string[]]>([
  ['stdout is not a terminal; no colours (not a terminal)', {}, []],
  ['stdout is not a terminal; no colours (--color)', { FORCE_COLOR: '3' }, ['--color', 'never']],
  ['stdout is not a terminal; 16 colours (PETSTORE_COLOR)', { PETSTORE_COLOR: 'always', NO_COLOR: '1' }, []],
  ['stdout is not a terminal; no colours (NO_COLOR)', { PETSTORE_COLOR: 'auto', NO_COLOR: '1' }, []],
  ['stdout is not a terminal; all colours (FORCE_COLOR)', { FORCE_COLOR: '3', CLICOLOR_FORCE: '1' }, []],
  ['stdout is not a terminal; 16 colours (CLICOLOR_FORCE)', { CLICOLOR_FORCE: '1', TERM: 'dumb' }, []],
  ['stdout is not a terminal; no colours (not a terminal)', { CLICOLOR_FORCE: '0' }, []],
  ['100 columns; 256 colours (a terminal)', { ...WIDE, TERM: 'xterm-256color' }, ['--color', 'auto']],
  ['100 columns; no colours (CLICOLOR)', { ...WIDE, CLICOLOR: '0' }, []],
  ['100 columns; no colours (TERM)', { ...WIDE, TERM: 'dumb' }, []],
])('%s: %j %j', async (finding, more, flags) => {
  expect(await terminal(more, flags)).toBe(finding);
});

test.each([
  ['always', {}, 'stdout is not a terminal; 16 colours (the profile)'],
  ['always', { NO_COLOR: '1' }, 'stdout is not a terminal; no colours (NO_COLOR)'],
  ['always', { TERM: 'dumb' }, 'stdout is not a terminal; no colours (TERM)'],
  ['never', { ...WIDE, TERM: 'dumb' }, '100 columns; no colours (the profile)'],
])('colour %s in the profile, and %j', async (color, more, finding) => {
  configure('config.json', { profile: 'shop', profiles: { shop: { color } } });
  expect(await terminal(more)).toBe(finding);
});

test('uses flags and variables if the configuration is invalid', async () => {
  configure('config.json', '{');
  const finding = 'stdout is not a terminal; 16 colours (PETSTORE_COLOR)';
  expect(await terminal({ PETSTORE_COLOR: 'always', NO_COLOR: '1' })).toBe(finding);
});

test.each([
  ['[]', 'no pet ids to complete yet: petstore pets list stores them'],
  ['[["1","Rex"]]', /^1 pet id to complete in .*seen-pets\.json$/],
])('completion counts the stored ids: %s', async (text, finding) => {
  mkdirSync(directories.state, { mode: 0o700 });
  writeFileSync(join(directories.state, 'seen-pets.json'), text, { mode: 0o600 });
  const check = (await doctor({}, '--offline')).found('completion');
  expect(check.state).toBe('info');
  expect(check.finding).toMatch(finding);
});
