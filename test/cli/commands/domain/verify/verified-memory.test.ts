import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isTrial,
  openVerifiedMemory,
} from '../../../../../src/cli/commands/domain/verify/verified-memory.js';
import { readGlobalOptions } from '../../../../../src/cli/command-line/global-options.js';
import { readCommandTree } from '../../../../../src/cli/program/read-command-tree.js';
import { createSession } from '../../../../../src/cli/session/session.js';
import { fakeContext } from '../../../../support/fake-context.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import type { Report, State } from '../../../../../src/domain/index.js';
import { buildReport } from '../report-builder.js';

const NOON = Date.UTC(2026, 10, 21, 12);
const TARGET = 't.example';
const ASK = { resolvers: [], usePublic: true };

interface Setting {
  folder?: string;
  now?: number;
  mock?: boolean;
  given?: number;
  isTrial?: boolean;
}

function open({ folder = temporaryFolder(), now = NOON, mock = false, given, isTrial }: Setting = {}) {
  const { context, stderr } = fakeContext({ now, env: { PETSTORE_STATE_DIR: folder } });
  const session = createSession(readGlobalOptions({ mock }), context, readCommandTree);
  const memory = openVerifiedMemory(session, { given, ...(isTrial === undefined ? {} : { isTrial }) });
  return { memory, stderr, file: join(folder, 'verified-domains.json'), folder };
}

/** Learns from one report, as one command does. */
function learn(report: Report, setting: Setting) {
  const opened = open(setting);
  opened.memory.update(report, TARGET);
  opened.memory.save();
  return opened;
}

/** Verified as the request told, else now. */
function verified(time: number, domain = 'a.example'): Report {
  const report = buildReport({ state: 'verified', verifiedAt: new Date(time).toISOString() });
  return { ...report, domain: { ...report.domain, ascii: domain } };
}

describe('what was first seen verified', () => {
  test('is known to later commands, by domain and target', () => {
    const folder = temporaryFolder();
    learn(verified(NOON), { folder });
    const { memory, stderr } = open({ folder });
    expect(memory.verifiedAt('a.example', TARGET)).toBe(NOON);
    expect(memory.verifiedAt('a.example', 'other.example')).toBeUndefined();
    expect(memory.verifiedAt('b.example', TARGET)).toBeUndefined();
    expect(stderr()).toBe('');
  });

  test.each<[State, number | undefined]>([
    ['active', undefined],
    ['action-required', undefined],
    ['propagating', NOON],
    ['inconclusive', NOON],
  ])('is %s later: %j is remembered', (state, time) => {
    const folder = temporaryFolder();
    learn(verified(NOON), { folder });
    learn(buildReport({ state }), { folder });
    expect(open({ folder }).memory.verifiedAt('a.example', TARGET)).toBe(time);
  });

  test('gives way to what the user says, and that is remembered', () => {
    const folder = temporaryFolder();
    learn(verified(NOON), { folder });
    const told = NOON - 5_000;
    expect(learn(verified(told), { folder, given: told }).memory.verifiedAt('a.example', TARGET)).toBe(told);
    expect(open({ folder }).memory.verifiedAt('a.example', TARGET)).toBe(told);
  });
});

describe('a trial', () => {
  test('is neither remembered, nor a reason to forget', () => {
    const folder = temporaryFolder();
    expect(existsSync(learn(verified(NOON), { folder, isTrial: true }).file)).toBe(false);
    learn(verified(NOON), { folder });
    learn(buildReport({ state: 'active' }), { folder, isTrial: true });
    expect(open({ folder }).memory.verifiedAt('a.example', TARGET)).toBe(NOON);
  });

  test('knows what the user says, and nothing else', () => {
    const folder = temporaryFolder();
    learn(verified(NOON), { folder });
    expect(open({ folder, isTrial: true }).memory.verifiedAt('a.example', TARGET)).toBeUndefined();
    expect(open({ folder, isTrial: true, given: 7 }).memory.verifiedAt('a.example', TARGET)).toBe(7);
  });

  test.each([
    [{ dns: ASK, probe: {} }, false],
    [{ dns: { ...ASK, resolvers: ['127.0.0.1'] }, probe: { httpsPort: 8443 } }, false],
    [{ dns: { ...ASK, authoritativePort: 5353 }, probe: {} }, true],
    [{ dns: ASK, probe: { connect: '127.0.0.1' } }, true],
  ])('is told by the flags: %j', (flags, expected) => {
    expect(isTrial(flags)).toBe(expected);
  });
});

describe('the file', () => {
  test('is its owner’s alone, and small: the latest are kept', () => {
    const folder = temporaryFolder();
    const { memory, file } = open({ folder });
    for (let index = 0; index < 2_100; index += 1) {
      memory.update(verified(NOON, `d${String(index)}.example`), TARGET);
    }
    memory.save();
    expect(JSON.parse(readFileSync(file, 'utf8')).verified).toHaveLength(2_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is not written where nothing is learnt, nor with --mock', () => {
    expect(existsSync(learn(buildReport({ state: 'action-required' }), {}).file)).toBe(false);
    expect(existsSync(learn(verified(NOON), { mock: true }).file)).toBe(false);
  });

  test('of two commands at a time holds what both have learnt', () => {
    const folder = temporaryFolder();
    const one = open({ folder });
    one.memory.update(verified(NOON), TARGET);
    learn(verified(NOON, 'b.example'), { folder });
    one.memory.save();
    const { memory } = open({ folder });
    expect([memory.verifiedAt('a.example', TARGET), memory.verifiedAt('b.example', TARGET)]).toEqual([
      NOON,
      NOON,
    ]);
  });

  test.each(['', '{', '[]', '{"verified":{}}', 'null'])(
    'that holds %j costs a warning, and is written anew',
    (text) => {
      const { memory, stderr, file } = open();
      writeFileSync(file, text);
      expect(memory.verifiedAt('a.example', TARGET)).toBeUndefined();
      memory.update(verified(NOON), TARGET);
      memory.save();
      expect(stderr()).toBe(
        `warning: The times of verification can't be read from ${file} (unknown content). ` +
          'An overdue certificate may be reported as pending.\n',
      );
      expect(JSON.parse(readFileSync(file, 'utf8')).verified).toHaveLength(1);
    },
  );

  test('is read without what is no entry', () => {
    const entry = { domain: 'a.example', target: TARGET, verifiedAt: '2026-11-21T11:00:00Z' };
    const { memory, file } = open();
    const odd = [null, 7, { ...entry, domain: 'b.example', verifiedAt: 'soon' }, { domain: 'c.example' }];
    writeFileSync(file, JSON.stringify({ verified: [...odd, entry] }));
    expect(memory.verifiedAt('a.example', TARGET)).toBe(NOON - 3_600_000);
    expect(memory.verifiedAt('b.example', TARGET)).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('that is a pipe is never opened', () => {
    const { memory, stderr, file } = open();
    spawnSync('mkfifo', [file]);
    expect(memory.verifiedAt('a.example', TARGET)).toBeUndefined();
    expect(stderr()).toContain('(it is a named pipe)');
  });

  test('that can’t be written costs a warning', () => {
    const folder = temporaryFolder({ state: 'a file where the directory should be' });
    const { stderr } = learn(verified(NOON), { folder: join(folder, 'state') });
    expect(stderr()).toMatch(
      /^warning: The times of verification can't be written to .* \(EEXIST|ENOTDIR\)\. .*\n$/,
    );
  });
});
