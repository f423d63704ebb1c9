import { spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { FileBudgetStore } from '../../../../src/client/gate/file/file-budget-store.js';
import { type MachineTime, createMachineClock } from '../../../../src/client/gate/file/machine.js';
import { processName } from '../../../../src/client/gate/file/machine.js';
import type { BudgetStore, Reading, Swap } from '../../../../src/client/gate/gate-store.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const disk = { isFull: false };
vi.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
  writeFileSync(file, disk.isFull ? String(data).slice(0, 5) : data, options);
  if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
});

const LIFETIME_MS = 1_000;
const VERSION = 'petstore-budget-';

/** A folder, and stores of several processes over it, on one clock. */
function setUp() {
  const folder = join(temporaryFolder(), 'gate', 'budget');
  const time: MachineTime = { boot: 'a', monotonic: 1_000, uptime: 1_000, wall: 5_000_000 };
  const created: string[] = [];
  const open = (): BudgetStore =>
    new FileBudgetStore({
      folder,
      holder: processName(Math.random),
      readTime: () => ({ ...time }),
      onCreate: () => created.push(folder),
    });
  return { folder, time, created, open };
}
// File stores are synchronous.
const read = (budgetStore: BudgetStore): Reading => budgetStore.read() as Reading;
const swap = (budgetStore: BudgetStore, seen: Reading, text: string): Swap =>
  budgetStore.swap(seen, text, LIFETIME_MS) as Swap;

describe('a file budgetStore', () => {
  test.skipIf(process.platform === 'win32')('reads neither pipes nor oversized files', () => {
    const { folder, open } = setUp();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${VERSION}999998`), '');
    truncateSync(join(folder, `${VERSION}999998`), 2 ** 31);
    expect(read(open()).damage).toContain('999998 is 2147483648 bytes long');
    expect(spawnSync('mkfifo', [join(folder, `${VERSION}999999`)]).status).toBe(0);
    expect(read(open()).damage).toContain('999999 is a named pipe');
  });

  test('is empty at first, and creates nothing on read', () => {
    const { folder, time, open } = setUp();
    expect(read(open())).toEqual({ text: undefined, version: '0', now: time.wall });
    expect(() => statSync(folder)).toThrow();
  });

  test('returns the last text to every process', () => {
    const { open } = setUp();
    const [one, other] = [open(), open()];
    expect(swap(one, read(one), 'a')).toMatchObject({ swapped: true, reading: { text: 'a' } });
    expect(read(other).text).toBe('a');
    expect(swap(other, read(other), 'b\nand c').swapped).toBe(true);
    expect(read(one).text).toBe('b\nand c');
  });

  test('accepts one of several swaps after the same reading', () => {
    const { open } = setUp();
    const budgetStores = [open(), open(), open()];
    const seen = budgetStores.map(read);
    const swaps = budgetStores.map((budgetStore, index) => swap(budgetStore, seen[index]!, String(index)));
    expect(swaps.map(({ swapped }) => swapped)).toEqual([true, false, false]);
    expect(swaps[2]?.reading.text).toBe('0');
  });

  test('rejects a swap if the text was changed and changed back', () => {
    const { open } = setUp();
    const [slow, quick] = [open(), open()];
    swap(quick, read(quick), 'a');
    const seen = read(slow);
    swap(quick, read(quick), 'b');
    swap(quick, read(quick), 'a');
    expect(swap(slow, seen, 'c').swapped).toBe(false);
  });

  test.each([0, 1, 7, 8, 9, 30])('knows whether a reading is current after %i swaps of another', (count) => {
    const { open } = setUp();
    const [slow, quick] = [open(), open()];
    expect(slow.isCurrent?.(read(slow))).toBe(false);
    const { reading } = swap(slow, read(slow), 'first');
    for (let swaps = 0; swaps < count; swaps += 1) swap(quick, read(quick), String(swaps));
    expect(slow.isCurrent?.(reading)).toBe(count === 0);
  });

  test('rejects the swap of a process suspended for many versions', () => {
    const { folder, open } = setUp();
    const [slow, quick] = [open(), open()];
    const seen = read(slow);
    for (let count = 0; count < 30; count += 1)
      expect(swap(quick, read(quick), String(count)).swapped).toBe(true);
    expect(readdirSync(folder)).not.toContain(`${VERSION}1`);
    expect(swap(slow, seen, 'late')).toMatchObject({ swapped: false, reading: { text: '29' } });
    expect(swap(quick, read(quick), 'on').swapped).toBe(true);
    expect(readdirSync(folder)).not.toContain(`${VERSION}1`);
  });

  test('keeps few files, all readable by their owner only', () => {
    const { folder, created, open } = setUp();
    const budgetStore = open();
    for (let count = 0; count < 50; count += 1) swap(budgetStore, read(budgetStore), String(count));
    const names = readdirSync(folder);
    expect(names.length).toBeLessThanOrEqual(9);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
    expect(created).toEqual([folder]);
  });

  test("leaves the mode of the user's folder unchanged", () => {
    const { folder, open } = setUp();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'a');
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  test.each<[string, (path: string) => void]>([
    ['5 MB of other data', (path) => writeFileSync(path, Buffer.alloc(5_000_000, 0x9f))],
    ['a directory', (path) => mkdirSync(join(path, 'inner'), { recursive: true })],
    [
      'a higher number than any version',
      (path) => writeFileSync(join(path, '..', VERSION + '9'.repeat(15)), 'x'),
    ],
  ])('works again after the next write, with %s in the place of a version', (_, damage) => {
    const { folder, open } = setUp();
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'a');
    damage(join(folder, `${VERSION}2`));
    let seen = read(budgetStore);
    for (let tries = 0; tries < 2 && !swap(budgetStore, seen, 'b').swapped; tries += 1)
      seen = read(budgetStore);
    expect(read(open()).text).toBe('b');
    for (let count = 0; count < 20; count += 1)
      expect(swap(budgetStore, read(budgetStore), String(count)).swapped).toBe(true);
    expect(read(open())).toMatchObject({ text: '19' });
  });

  test('continues after its folder was deleted', () => {
    const { folder, open } = setUp();
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'a');
    rmSync(folder, { recursive: true });
    expect(read(budgetStore).text).toBeUndefined();
    expect(swap(budgetStore, read(budgetStore), 'b')).toMatchObject({
      swapped: true,
      reading: { text: 'b' },
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test.each([
    '',
    '{"now":5',
    'nonsense',
    '{"now":"5","moment":{}}\n{}',
    '{"now":5}\n{}',
    '{"now":5,"moment":{"boot":"a","monotonic":1,"uptime":1,"wall":"1"}}\n{}',
    '\u0000',
  ])('returns a torn or foreign file %j as text, and writes the next version', (content) => {
    const { folder, open } = setUp();
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'a');
    writeFileSync(join(folder, `${VERSION}7`), content);
    expect(read(budgetStore)).toMatchObject({ text: content, version: '7' });
    expect(swap(budgetStore, read(budgetStore), 'b').swapped).toBe(true);
    expect(read(open())).toMatchObject({ text: 'b', version: '8' });
  });

  test('does not touch other files', () => {
    const { folder, time, open } = setUp();
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'a');
    const others = ['notes', '1', '12', '99999999', '9.txt', 'draft.tmp', 'a-b.1.tmp', `${VERSION}2`];
    for (const name of others) writeFileSync(join(folder, name), 'x');
    const draft = `${budgetStore.holder.replace('-', '1-')}.1.tmp`;
    mkdirSync(join(folder, draft));
    time.wall = Date.now() + 61_000;
    for (let count = 0; count < 20; count += 1)
      expect(swap(budgetStore, read(budgetStore), String(count)).swapped).toBe(true);
    expect(read(open()).text).toBe('19');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([...others, draft]));
    for (const name of others) expect(readFileSync(join(folder, name), 'utf8')).toBe('x');
  });

  test.skipIf(process.platform === 'win32')(
    'uses no folder that others can change, and changes nothing',
    () => {
      const { folder, open } = setUp();
      swap(open(), read(open()), 'a');
      const names = readdirSync(folder);
      const parent = join(folder, '..');
      chmodSync(parent, 0o777);
      const budgetStore = open();
      expect(() => read(budgetStore)).toThrow(`other users can write ${parent} (0777)`);
      chmodSync(parent, 0o700);
      const seen = read(budgetStore);
      chmodSync(parent, 0o777);
      expect(() => swap(open(), seen, 'b')).toThrow('other users can write');
      expect(readdirSync(folder)).toEqual(names);
    },
  );

  test('removes the draft of a dead process at once, and of an unknown one later', () => {
    const { folder, time, open } = setUp();
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'a');
    const alive = budgetStore.holder.split('-').with(3, 'other').join('-');
    const dead = budgetStore.holder.split('-').with(2, '1').join('-');
    const unknown = budgetStore.holder.split('-').with(0, 'elsewhere').join('-');
    for (const name of [alive, dead, unknown]) writeFileSync(join(folder, `${name}.1.tmp`), 'x');
    time.wall = Date.now();
    read(budgetStore);
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.tmp'))
        .sort(),
    ).toEqual([`${alive}.1.tmp`, `${unknown}.1.tmp`].sort());
    time.wall += 61_000;
    read(budgetStore);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('throws if no higher number is left, so that the budget stays in memory', () => {
    const { folder, open } = setUp();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, VERSION + '9'.repeat(14)), 'x');
    const budgetStore = open();
    expect(() => swap(budgetStore, read(budgetStore), 'a')).toThrow('highest version');
  });

  test('throws if the folder can not be created', () => {
    const folder = join(temporaryFolder({ file: 'x' }), 'file', 'budget');
    const budgetStore = new FileBudgetStore({ folder, holder: 'h', readTime: createMachineClock() });
    expect(() => budgetStore.read()).toThrow(/a part of the path is not a folder/);
    const path = join(temporaryFolder(), 'budget');
    const other = new FileBudgetStore({ folder: path, holder: 'h', readTime: createMachineClock() });
    expect(other.swap(other.read(), 'a').swapped).toBe(true);
  });
});

test('throws on a full disk, and leaves no draft', () => {
  const { folder, open } = setUp();
  const budgetStore = open();
  swap(budgetStore, read(budgetStore), 'a');
  disk.isFull = true;
  try {
    expect(() => swap(budgetStore, read(budgetStore), 'b')).toThrow(/the disk is full/);
  } finally {
    disk.isFull = false;
  }
  expect(readdirSync(folder)).toEqual([`${VERSION}1`]);
});

test.each([
  ['link', 'EPERM', 'its file system has no hard links'],
  ['link', 'ENOTSUP', 'its file system has no hard links'],
  ['link', 'EOPNOTSUPP', 'its file system has no hard links'],
  ['link', 'ENOSYS', 'its file system has no hard links'],
  ['link', 'EIO', 'the disk failed'],
  ['open', 'EPERM', 'not permitted'],
])('explains a failure of %s with %s', (syscall, code, reason) => {
  const { folder, open } = setUp();
  const budgetStore = open();
  const seen = read(budgetStore);
  const cause = Object.assign(new Error('failed'), { code, syscall });
  const link = vi.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
    throw cause;
  });
  expect(() => swap(budgetStore, seen, 'a')).toThrow(
    expect.objectContaining({ message: `${dirname(folder)}: ${reason}`, cause }),
  );
  link.mockRestore();
  expect(swap(budgetStore, seen, 'a').swapped).toBe(true);
});

describe('the time of a file budgetStore', () => {
  test('is the same for all processes, and ignores changes of the wall clock', () => {
    const { time, open } = setUp();
    const [one, other] = [open(), open()];
    swap(one, read(one), 'a');
    time.monotonic += 4_000;
    time.uptime += 4_000;
    time.wall += 999_999;
    expect(read(other).now).toBe(5_004_000);
    swap(other, read(other), 'b');
    time.monotonic += 1_000;
    time.uptime += 1_000;
    time.wall = 7;
    expect(read(one).now).toBe(5_005_000);
  });

  test('continues after a reboot, by the wall clock', () => {
    const { time, open } = setUp();
    const before = open();
    swap(before, read(before), 'a');
    Object.assign(time, { boot: 'b', monotonic: 3, uptime: 3, wall: time.wall + 60_000 });
    expect(read(open()).now).toBe(5_060_000);
  });

  test('is stored with the text, without other data about the machine', () => {
    const { folder, open } = setUp();
    const budgetStore = open();
    swap(budgetStore, read(budgetStore), 'text');
    expect(readFileSync(join(folder, `${VERSION}1`), 'utf8')).toBe(
      '{"now":5000000,"moment":{"boot":"a","monotonic":1000,"uptime":1000,"wall":5000000}}\ntext',
    );
  });
});
