import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { lockFile } from '../../src/security/file-lock.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let compiled: CompiledClient;
beforeAll(async () => {
  compiled = await compileClient();
});
afterAll(() => compiled.remove());

const ELSEWHERE = 'boot-of-another-machine-1_7_99_01234567-89ab-4cde-8f01-23456789abcd';
/** Longer than an unchanged lock of another machine is kept. */
const BEYOND_STALE_MS = 15_500;
const realClock = { setTimeout };
/** A clock whose time passes at once. Calls `onPoll` with the number of the poll. */
function fastClock(onPoll: (poll: number) => void = () => undefined) {
  let polls = 0;
  return {
    setTimeout(callback: () => void) {
      onPoll((polls += 1));
      setImmediate(callback);
    },
    get polls() {
      return polls;
    },
  };
}
const lock = (path: string, clock: Parameters<typeof lockFile>[1]['clock'] = fastClock()) =>
  lockFile(path, { clock });
const newPath = (): string => join(temporaryFolder(), 'j');

/** Code of a process that imports `lockFile`, with a clock of its own. */
function program(code: string): string[] {
  const module = JSON.stringify(new URL('security/file-lock.js', compiled.url).href);
  return [
    '--input-type=module',
    '-e',
    `import { lockFile } from ${module};\nconst clock = { setTimeout };\n${code}`,
  ];
}

/** Starts a process that holds the lock until it is killed, or prints that it did not get it. */
async function lockInChild(path: string, prefix: readonly string[] = []) {
  const code = `const lock = await lockFile(${JSON.stringify(path)}, { clock });
    console.log(lock === undefined ? 'rejected' : 'locked');
    if (lock !== undefined) setInterval(() => {}, 1_000);`;
  const [command = '', ...args] = [...prefix, process.execPath, ...program(code)];
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, output: String(line).trim() };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The name in a lock. */
const nameIn = (path: string): string => readdirSync(`${path}.lock`)[0]!;

test('is held once, and released without a trace', async () => {
  const path = newPath();
  const first = await lock(path);
  expect(first?.isHeld()).toBe(true);
  expect(await lock(path)).toBeUndefined();
  const other = await lock(`${path}2`);
  expect(other).toBeDefined();
  first?.release();
  other?.release();
  expect(first?.isHeld()).toBe(false);
  const again = await lock(path);
  expect(again).toBeDefined();
  first?.release();
  expect(again?.isHeld()).toBe(true);
  again?.release();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test('is acquired by one of many concurrent calls', async () => {
  const path = newPath();
  const locks = await Promise.all(Array.from({ length: 20 }, () => lock(path)));
  expect(locks.filter((each) => each !== undefined)).toHaveLength(1);
});

test('waits for a process that is alive', async () => {
  const path = newPath();
  const first = await lock(path);
  const clock = fastClock((poll) => {
    if (poll === 10) first?.release();
  });
  expect(await lockFile(path, { clock, waitMs: 1_000 })).toBeDefined();
  expect(clock.polls).toBeLessThanOrEqual(11);
  const late = fastClock();
  expect(await lockFile(path, { clock: late, waitMs: 1_000 })).toBeUndefined();
  expect(late.polls).toBe(50);
});

test('of a killed process is broken at once (twice with PETSTORE_TEST_FULL=1)', async () => {
  const path = newPath();
  for (let round = 0; round < (IS_FULL ? 2 : 1); round += 1) {
    const { child, output } = await lockInChild(path);
    expect(output).toBe('locked');
    expect(await lock(path)).toBeUndefined();
    expect((await lockInChild(path)).output).toBe('rejected');
    await killed(child);
    const clock = fastClock();
    const mine = await lock(path, clock);
    expect(mine).toBeDefined();
    expect(clock.polls).toBe(1);
    mine?.release();
  }
});

test.skipIf(process.platform !== 'linux')('of a stopped process is not broken', async () => {
  const path = newPath();
  const { child } = await lockInChild(path);
  child.kill('SIGSTOP');
  const longAgo = new Date(0);
  utimesSync(join(`${path}.lock`, nameIn(path)), longAgo, longAgo);
  expect(await lockFile(path, { clock: fastClock(), waitMs: BEYOND_STALE_MS })).toBeUndefined();
});

test.skipIf(process.platform !== 'linux')('of a dead process whose PID is used again is broken', async () => {
  const path = newPath();
  await lock(path);
  const folder = `${path}.lock`;
  const [machine, pid, start, token] = nameIn(path).split('_');
  expect(Number(start)).toBeGreaterThan(0);
  renameSync(
    join(folder, nameIn(path)),
    join(folder, [machine, pid, String(Number(start) - 1), token].join('_')),
  );
  expect(await lock(path)).toBeDefined();
});

describe('of a process that cannot be checked', () => {
  const locked = (): { path: string; owner: string } => {
    const path = newPath();
    mkdirSync(`${path}.lock`);
    const owner = join(`${path}.lock`, ELSEWHERE);
    writeFileSync(owner, '');
    return { path, owner };
  };

  test('is broken after 15 s without a renewal, whatever the clocks show', async () => {
    const times = [...(IS_FULL ? [new Date(0)] : []), new Date('2100-01-01')];
    for (const modifiedAt of times) {
      const { path, owner } = locked();
      utimesSync(owner, modifiedAt, modifiedAt);
      const clock = fastClock();
      expect(await lock(path, clock)).toBeDefined();
      expect(clock.polls).toBe(751);
      expect(existsSync(owner)).toBe(false);
    }
  });

  test('is not broken while it is renewed', async () => {
    const { path, owner } = locked();
    const clock = fastClock((poll) => {
      const renewedAt = new Date(poll * 1_000);
      if (poll % 700 === 0) utimesSync(owner, renewedAt, renewedAt);
    });
    const waitMs = (IS_FULL ? 2 : 1) * BEYOND_STALE_MS;
    expect(await lockFile(path, { clock, waitMs })).toBeUndefined();
    expect(await lock(path, clock)).toBeUndefined();
  });

  test('is not broken in place of its next owner', async () => {
    const { path, owner } = locked();
    const clock = fastClock((poll) => {
      if (poll !== 740) return;
      rmSync(owner);
      writeFileSync(owner.replace('01234567', '76543210'), '');
    });
    expect(await lock(path, clock)).toBeUndefined();
    expect(clock.polls).toBeLessThan(751);
  });
});

test('is broken if its process died before it wrote its name', async () => {
  const path = newPath();
  mkdirSync(`${path}.lock`);
  const clock = fastClock();
  expect(await lock(path, clock)).toBeDefined();
  expect(clock.polls).toBeLessThan(10);
});

test('the owner of a broken lock notices it, and does not release the next one', async () => {
  const path = newPath();
  const first = await lock(path);
  rmSync(`${path}.lock`, { recursive: true });
  const next = await lock(path);
  expect(first?.isHeld()).toBe(false);
  first?.release();
  expect(next?.isHeld()).toBe(true);
});

test('a file at the path of the lock belongs to the user', async () => {
  const path = newPath();
  writeFileSync(`${path}.lock`, '');
  expect(await lock(path)).toBeUndefined();
  expect(existsSync(`${path}.lock`)).toBe(true);
});

test.each(['readdirSync', 'lstatSync'] as const)(
  'a lock that could not be checked after its creation is not left behind: %s fails',
  async (name) => {
    const path = newPath();
    const spy = vi.spyOn(fs, name).mockImplementationOnce(() => {
      throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
    });
    syncBuiltinESMExports();
    try {
      await expect(lock(path)).rejects.toThrow('EMFILE');
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(await lock(path)).toBeDefined();
  },
);

describe('the drafts of an owner', () => {
  const draftOf = (path: string): string => `${nameIn(path)}.next`;

  test('are removed with the lock of a killed process', async () => {
    const path = newPath();
    const { child } = await lockInChild(path);
    writeFileSync(join(`${path}.lock`, draftOf(path)), 'half');
    await killed(child);
    const mine = await lock(path);
    expect(readdirSync(`${path}.lock`)).toHaveLength(1);
    mine?.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('do not keep a lock that lost its owner', async () => {
    const path = newPath();
    mkdirSync(`${path}.lock`);
    writeFileSync(join(`${path}.lock`, `${ELSEWHERE}.next`), '');
    const clock = fastClock();
    expect(await lock(path, clock)).toBeDefined();
    expect(clock.polls).toBe(751);
  });
});

test("no file of the user is taken for a lock: 'Gemfile.lock', a folder with files", async () => {
  const text = 'GEM\n  remote: https://rubygems.org/\n  specs:\n';
  const path = newPath();
  writeFileSync(`${path}.lock`, text);
  expect(await lockFile(path, { clock: fastClock(), waitMs: BEYOND_STALE_MS })).toBeUndefined();
  expect(readFileSync(`${path}.lock`, 'utf8')).toBe(text);
  const other = newPath();
  mkdirSync(`${other}.lock`);
  writeFileSync(join(`${other}.lock`, 'notes.txt'), text);
  expect(await lockFile(other, { clock: fastClock(), waitMs: BEYOND_STALE_MS })).toBeUndefined();
  expect(readdirSync(`${other}.lock`)).toEqual(['notes.txt']);
});

test('an error of the file system is reported', async () => {
  await expect(lock(join(temporaryFolder(), 'none', 'j'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('processes that break stale locks lose no change (20 with PETSTORE_TEST_FULL=1)', async () => {
  const folder = temporaryFolder({ count: '0' });
  const path = join(folder, 'count');
  const processes = IS_FULL ? 20 : 3;
  const rounds = 5;
  const code = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    const path = ${JSON.stringify(path)};
    for (let round = 0; round < ${String(rounds)}; round += 1) {
      const lock = await lockFile(path, { clock, waitMs: 60_000 });
      writeFileSync(path, String(Number(readFileSync(path, 'utf8')) + 1));
      // As a killed process leaves it: the name of a process that does not exist.
      if (round % 2 === 0) {
        const { renameSync, readdirSync } = await import('node:fs');
        const [name] = readdirSync(path + '.lock');
        renameSync(path + '.lock/' + name, path + '.lock/' + name.replace(/_\\d+_/, '_4194305_'));
      } else lock.release();
    }`;
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, program(code), { env: {}, stdio: ['ignore', 'inherit', 'inherit'] }),
  );
  await Promise.all(children.map((child) => once(child, 'close')));
  expect(readFileSync(path, 'utf8')).toBe(String(processes * rounds));
}, 60_000);

/** Namespaces of another container, with the same folders. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child'];
const canUnshare = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), '--mount-proc', 'true']).status === 0;

// It waits for renewals.
describe.runIf(canUnshare && IS_FULL)(
  'in another network and PID namespace (needs unshare, PETSTORE_TEST_FULL=1)',
  () => {
    test('the lock is seen from both sides', async () => {
      const expectSeen = async (option: string): Promise<void> => {
        const path = newPath();
        const mine = await lock(path);
        expect((await lockInChild(path, [...CONTAINER, option])).output).toBe('rejected');
        mine?.release();
        const { output } = await lockInChild(path, [...CONTAINER, option]);
        expect([output, await lock(path, realClock)]).toEqual(['locked', undefined]);
        // A PID of another /proc says nothing.
        expect(nameIn(path).startsWith('_')).toBe(option === '--mount');
      };
      // Both wait for a renewal. Without an own /proc, the PIDs there are those of the parent namespace.
      await Promise.all(['--mount-proc', '--mount'].map(expectSeen));
    }, 30_000);
  },
);

/** A namespace of times, in which the start times of all processes are other ones. */
const OTHER_TIME = [
  'unshare',
  '--user',
  '--map-root-user',
  '--time',
  '--boottime',
  '100000',
  '--fork',
  '--kill-child',
];
const canUnshareTime = spawnSync(OTHER_TIME[0]!, [...OTHER_TIME.slice(1), 'true']).status === 0;

test.skipIf(!canUnshareTime)(
  'in another time namespace, the lock of a process that is alive is not broken (needs unshare --time)',
  async () => {
    const path = newPath();
    const mine = await lock(path);
    expect((await lockInChild(path, OTHER_TIME)).output).toBe('rejected');
    expect(mine?.isHeld()).toBe(true);
    mine?.release();
  },
  30_000,
);
