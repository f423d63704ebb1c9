import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { doctorIn } from '../../../support/doctor.js';
import { runFake } from '../../../support/fake-context.js';

const { configure, env } = doctorIn();

async function terminal(more: Record<string, string>, flags: readonly string[] = []): Promise<string> {
  const query = ['--query', "checks[?id=='terminal'].finding | [0]", '-o', 'json'];
  const { stdout } = await runFake(['doctor', '--offline', ...query, ...flags], { env: env(more) });
  return JSON.parse(stripVTControlCharacters(stdout)) as string;
}

const WIDE = { PETSTORE_FORCE_TTY: '100' };

test.each<[string, Record<string, string>, string[]]>([
  ['stdout is none; no colours, by stdout, which is no terminal', {}, []],
  ['stdout is none; no colours, by --color', { FORCE_COLOR: '3' }, ['--color', 'never']],
  ['stdout is none; 16 colours, by PETSTORE_COLOR', { PETSTORE_COLOR: 'always', NO_COLOR: '1' }, []],
  ['stdout is none; no colours, by NO_COLOR', { PETSTORE_COLOR: 'auto', NO_COLOR: '1' }, []],
  ['stdout is none; all colours, by FORCE_COLOR', { FORCE_COLOR: '3', CLICOLOR_FORCE: '1' }, []],
  ['stdout is none; 16 colours, by CLICOLOR_FORCE', { CLICOLOR_FORCE: '1', TERM: 'dumb' }, []],
  ['stdout is none; no colours, by stdout, which is no terminal', { CLICOLOR_FORCE: '0' }, []],
  ['100 columns; 256 colours, by the terminal', { ...WIDE, TERM: 'xterm-256color' }, ['--color', 'auto']],
  ['100 columns; no colours, by CLICOLOR', { ...WIDE, CLICOLOR: '0' }, []],
  ['100 columns; no colours, by TERM', { ...WIDE, TERM: 'dumb' }, []],
])('%s: %j %j', async (finding, more, flags) => {
  expect(await terminal(more, flags)).toBe(finding);
});

test.each([
  ['always', {}, 'stdout is none; 16 colours, by the profile'],
  ['always', { NO_COLOR: '1' }, 'stdout is none; no colours, by NO_COLOR'],
  ['always', { TERM: 'dumb' }, 'stdout is none; no colours, by TERM'],
  ['never', { ...WIDE, TERM: 'dumb' }, '100 columns; no colours, by the profile'],
])('a profile that says %s, and %j', async (color, more, finding) => {
  configure('config.json', { profile: 'shop', profiles: { shop: { color } } });
  expect(await terminal(more)).toBe(finding);
});

test('a configuration that is wrong leaves flags and variables', async () => {
  configure('config.json', '{');
  const finding = 'stdout is none; 16 colours, by PETSTORE_COLOR';
  expect(await terminal({ PETSTORE_COLOR: 'always', NO_COLOR: '1' })).toBe(finding);
});
