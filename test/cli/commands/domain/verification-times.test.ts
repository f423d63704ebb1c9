import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openVerificationTimes } from '../../../../src/cli/commands/domain/verification-times.js';
import { readGlobalOptions } from '../../../../src/cli/command-line/global-options.js';
import { readCommandTree } from '../../../../src/cli/program/read-command-tree.js';
import { createSession } from '../../../../src/cli/session/create-session.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import type { Report, State } from '../../../../src/domain/index.js';
import { buildReport } from './report-builder.js';

const NOON = Date.UTC(2026, 10, 21, 12);
const TARGET = 't.example';

interface Setting {
  folder?: string;
  now?: number;
  mock?: boolean;
  given?: number;
  connect?: string;
  authoritativePort?: number;
}

function open({ folder = temporaryFolder(), now = NOON, mock = false, given, ...trial }: Setting = {}) {
  const { context, stderr } = fakeContext({ now, env: { PETSTORE_STATE_DIR: folder } });
  const session = createSession(readGlobalOptions({ mock }), context, readCommandTree);
  const flags = { verifiedAt: given, connect: undefined, authoritativePort: undefined, ...trial };
  const memory = openVerificationTimes(flags, session);
  return { memory, stderr, file: join(folder, 'verified-domains.json'), folder };
}

/** Stores the time of one report, as a command does. */
function store(report: Report, setting: Setting) {
  const opened = open(setting);
  opened.memory.update(report, TARGET);
  opened.memory.save();
  return opened;
}

/** The time that a later command finds. */
const timeIn = (folder: string, domain = 'a.example', setting: Setting = {}) =>
  open({ folder, ...setting }).memory.verification(domain, TARGET).verifiedAt;

/** A verified report with a time of verification. */
function verified(time: number, domain = 'a.example'): Report {
  const report = buildReport({ state: 'verified', verifiedAt: new Date(time) });
  return { ...report, domain: { ...report.domain, ascii: domain } };
}

describe('the stored time', () => {
  test('is available to later commands, by domain and target', () => {
    const folder = temporaryFolder();
    store(verified(NOON), { folder });
    const { memory, stderr } = open({ folder });
    expect(memory.verification('a.example', TARGET).verifiedAt).toEqual(new Date(NOON));
    expect(memory.verification('a.example', 'other.example').verifiedAt).toBeUndefined();
    expect(memory.verification('b.example', TARGET).verifiedAt).toBeUndefined();
    expect(stderr()).toBe('');
  });

  test.each<[State, Date | undefined]>([
    ['active', undefined],
    ['action-required', undefined],
    ['propagating', new Date(NOON)],
    ['inconclusive', new Date(NOON)],
  ])('after the state %s: %j is stored', (state, time) => {
    const folder = temporaryFolder();
    store(verified(NOON), { folder });
    store(buildReport({ state }), { folder });
    expect(timeIn(folder)).toEqual(time);
  });

  test('is replaced by the time of the user', () => {
    const folder = temporaryFolder();
    store(verified(NOON), { folder });
    const told = NOON - 5_000;
    expect(
      store(verified(told), { folder, given: told }).memory.verification('a.example', TARGET).verifiedAt,
    ).toEqual(new Date(told));
    expect(timeIn(folder)).toEqual(new Date(told));
  });

  test('is stored with its source', () => {
    const folder = temporaryFolder();
    const sourceOf = () => open({ folder }).memory.verification('a.example', TARGET).verifiedAtSource;
    store({ ...verified(NOON), verifiedAtSource: 'this-check' }, { folder });
    expect(sourceOf()).toBe('earlier-check');
    store({ ...verified(NOON - 1), verifiedAtSource: 'given' }, { folder });
    expect(sourceOf()).toBe('given');
  });
});

describe.each([{ connect: '127.0.0.1' }, { authoritativePort: 5353 }])('a trial with %j', (trial) => {
  test('neither stores nor removes a time', () => {
    const folder = temporaryFolder();
    expect(existsSync(store(verified(NOON), { folder, ...trial }).file)).toBe(false);
    store(verified(NOON), { folder });
    store(buildReport({ state: 'active' }), { folder, ...trial });
    expect(open({ folder }).memory.verification('a.example', TARGET).verifiedAt).toEqual(new Date(NOON));
  });

  test('uses only the time of the user', () => {
    const folder = temporaryFolder();
    store(verified(NOON), { folder });
    expect(open({ folder, ...trial }).memory.verification('a.example', TARGET).verifiedAt).toBeUndefined();
    expect(open({ folder, ...trial, given: 7 }).memory.verification('a.example', TARGET).verifiedAt).toEqual(
      new Date(7),
    );
  });
});

describe('the file', () => {
  test('is private, and keeps the latest entries', () => {
    const folder = temporaryFolder();
    const { memory, file } = open({ folder });
    for (let index = 0; index < 2_100; index += 1) {
      memory.update(verified(NOON, `d${String(index)}.example`), TARGET);
    }
    memory.save();
    expect(JSON.parse(readFileSync(file, 'utf8')).verified).toHaveLength(2_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is not written without changes or with --mock', () => {
    expect(existsSync(store(buildReport({ state: 'action-required' }), {}).file)).toBe(false);
    expect(existsSync(store(verified(NOON), { mock: true }).file)).toBe(false);
  });

  test('keeps the changes of two concurrent commands', () => {
    const folder = temporaryFolder();
    const one = open({ folder });
    one.memory.update(verified(NOON), TARGET);
    store(verified(NOON, 'b.example'), { folder });
    one.memory.save();
    const domains = ['a.example', 'b.example'];
    expect(domains.map((domain) => timeIn(folder, domain))).toEqual([new Date(NOON), new Date(NOON)]);
  });

  test.each(['', '{', '[]', '{"verified":{}}', 'null'])('that holds %j warns and is rewritten', (text) => {
    const { memory, stderr, file } = open();
    writeFileSync(file, text);
    expect(memory.verification('a.example', TARGET).verifiedAt).toBeUndefined();
    memory.update(verified(NOON), TARGET);
    memory.save();
    expect(stderr()).toBe(
      `warning: The times of verification can't be read from ${file} (unknown content). ` +
        'An overdue certificate may be reported as pending.\n',
    );
    expect(JSON.parse(readFileSync(file, 'utf8')).verified).toHaveLength(1);
  });

  test('ignores invalid entries', () => {
    const entry = { domain: 'a.example', target: TARGET, verifiedAt: '2026-11-21T11:00:00Z' };
    const { memory, file } = open();
    const odd = [null, 7, { ...entry, domain: 'b.example', verifiedAt: 'soon' }, { domain: 'c.example' }];
    writeFileSync(file, JSON.stringify({ verified: [...odd, entry] }));
    expect(memory.verification('a.example', TARGET).verifiedAt).toEqual(new Date(NOON - 3_600_000));
    expect(memory.verification('b.example', TARGET).verifiedAt).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('that is a pipe is never opened', () => {
    const { memory, stderr, file } = open();
    spawnSync('mkfifo', [file]);
    expect(memory.verification('a.example', TARGET).verifiedAt).toBeUndefined();
    expect(stderr()).toContain('(it is a named pipe)');
  });

  test('warns if it can’t be written', () => {
    const folder = temporaryFolder({ state: 'a file where the directory should be' });
    const { stderr } = store(verified(NOON), { folder: join(folder, 'state') });
    expect(stderr()).toMatch(
      /^warning: The times of verification can't be written to .* \((a file of this name exists|a part of the path is not a folder)\)\. .*\n$/,
    );
  });
});
