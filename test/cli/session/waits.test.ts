import { describe, expect, test, vi } from 'vitest';
import { runLine } from '../../../src/cli/program/run-line.js';
import { Interruption } from '../../../src/cli/system/context.js';
import { ENV, fakeContext, type World } from '../../support/fake-context.js';
import { shellWords } from '../../support/parse-line.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

/** Waits for code that is being loaded. */
function until(isReady: () => boolean): Promise<void> {
  return vi.waitFor(
    () => {
      expect(isReady()).toBe(true);
    },
    { timeout: 10_000, interval: 1 },
  );
}

/** Runs a command until it waits, lets the time pass, and interrupts it. */
async function waitIn(line: string, world: World = {}, waitMs = 700): Promise<string> {
  const stop = new AbortController();
  const { context, stderr } = fakeContext({
    terminals: ['stdin', 'stdout', 'stderr'],
    responses: ['never'],
    signal: stop.signal,
    ...world,
    env: { LANG: 'C', ...(world.env ?? ENV) },
  });
  const clock = createVirtualClock();
  const finished = runLine(shellWords(line), { ...context, clock, clientClock: clock });
  await until(() => clock.pending > 0);
  await clock.advance(waitMs);
  await new Promise(setImmediate);
  const shown = stderr();
  stop.abort(new Interruption(130));
  await Promise.race([finished, new Promise(setImmediate)]);
  return shown;
}

const shownTexts = (written: string): string[] => [
  ...new Set(written.split('\r\u001b[K').map((line) => line.replace(/^[-\\|/] /, ''))),
];

describe('on a terminal, a slow service is named', () => {
  test.each([
    'pets list',
    'pets get 7',
    'pets create --name Rex --category 7',
    'limits',
    'api /pets',
    'auth status',
    'pets export',
  ])('%s', async (line) => {
    expect(shownTexts(await waitIn(line))).toContain('Waiting for https://pets.test');
  });

  test('only after half a second, and never with --quiet, in CI, on a dumb terminal or with annotations', async () => {
    expect(await waitIn('pets list', {}, 400)).toBe('');
    expect(await waitIn('pets list -q')).toBe('');
    for (const more of [{ CI: '1' }, { TERM: 'dumb' }, { PETSTORE_ANNOTATIONS: 'github' }])
      expect(await waitIn('pets list', { env: { ...ENV, ...more } })).toBe('');
    expect(await waitIn('pets list', { terminals: ['stdout'] })).toBe('');
  });
});

test('a slow keychain', async () => {
  const never = () => new Promise<never>(() => undefined);
  const keychain = { check: never, find: never, save: never, remove: never };
  const profiles = { shop: { baseUrl: 'https://pets.test/v1', keyIn: 'keychain' } };
  const folder = temporaryFolder({ 'config.json': { profile: 'shop', profiles } });
  const written = await waitIn('pets list', { keychain, env: { PETSTORE_CONFIG_DIR: folder } });
  const notice = 'Waiting for the keychain. If it prompts, answer there. Press ^C to cancel';
  expect(shownTexts(written)).toContain(notice);
  const dumb = { PETSTORE_CONFIG_DIR: folder, TERM: 'dumb' };
  expect(await waitIn('pets list', { keychain, env: dumb })).toBe(`${notice}\n`);
});
