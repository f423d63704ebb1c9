import { describe, expect, test } from 'vitest';
import { InputDigest } from '../../../src/bulk/input/input-digest.js';
import { formatPlan, LineChecksum } from '../../../src/bulk/journal/journal-format.js';
import { loadJournal } from '../../../src/bulk/journal/load-journal.js';
import { createMemoryDisk } from '../../support/memory-journal.js';

function digest(rows: number): InputDigest {
  const digest = new InputDigest();
  for (let row = 1; row <= rows; row += 1) digest.add({ name: `pet ${String(row)}`, categoryId: 1n });
  return digest.end();
}

/** The text of a journal: the plan of a number of rows, then these lines. */
function journalText(rows: number, bodies: readonly string[] = []): string {
  const seal = new LineChecksum();
  return [...formatPlan('https://pets.test/v1', digest(rows)), ...bodies]
    .map((body) => seal.add(body))
    .join('');
}

async function load(content: string) {
  const disk = createMemoryDisk(content);
  const { loaded, unstarted, isCutOff } = await loadJournal(await disk.open(), 'j');
  return { loaded, isUnstarted: unstarted !== undefined, isCutOff, content: disk.content() };
}

describe('a journal', () => {
  test('returns its plan and the state of every row', async () => {
    const { loaded } = await load(
      journalText(300, [
        '>1 >2 >3',
        '=1:7 @1:"no" !2:1 >300',
        '?300:0 ["r.csv"',
        ']',
        '>4 >5 -5 @2:"odd" ?4:2',
      ]),
    );
    expect(loaded).toMatchObject({ service: 'https://pets.test/v1', savingTo: undefined });
    expect(loaded?.digest.firstDifference(digest(300))).toBeUndefined();
    const { states } = loaded!;
    expect([1, 2, 3, 4, 5, 300].map((row) => states.get(row)).join(' ')).toBe(
      'already-done rejected-saved unknown unknown left unknown',
    );
    expect([2, 3, 4].map((row) => states.reason(row))).toEqual([
      'no',
      expect.stringContaining('ended before'),
      'odd',
    ]);
  });

  test('returns every rejected-rows file', async () => {
    const { loaded } = await load(
      journalText(9, ['@1:"no" !2:1 !3:1', '["a.csv"', ']', '!4:1', '["b.csv"', ']', '!5:1', '["c.csv"']),
    );
    expect(loaded).toMatchObject({
      rejectedFiles: [
        { path: 'a.csv', rows: 2 },
        { path: 'b.csv', rows: 1 },
      ],
      savingTo: 'c.csv',
    });
  });

  test('can have no rows, no key and a rejected-rows file that was never started', async () => {
    const seal = new LineChecksum();
    const lines = ['petstore-journal/1 {"service":"s","rows":0,"keyFingerprint":5}', 'ready', ']'];
    const { loaded } = await load(lines.map((body) => seal.add(body)).join(''));
    expect(loaded).toMatchObject({ service: 's', keyFingerprint: undefined, rejectedFiles: [] });
  });

  test('can be empty', async () => {
    expect(await load('')).toEqual({ loaded: undefined, isUnstarted: false, isCutOff: true, content: '' });
  });
});

describe('an incomplete write at the end', () => {
  const whole = journalText(600, ['>1 >2', '=1:7']);

  test('is removed, any part of it was journalText', async () => {
    const safe = journalText(600, ['>1 >2']);
    for (let length = safe.length; length < whole.length - 1; length += 1) {
      const { loaded, content } = await load(whole.slice(0, length));
      expect(loaded?.states.get(1)).toBe('unknown');
      expect(content).toBe(safe);
    }
  });

  test.each(['', '\0', '\0'.repeat(20_000)])(
    'counts if it lacks only its line break, before %j',
    async (space) => {
      const { loaded, content } = await load(whole.slice(0, -1) + space);
      expect([1, 2].map((row) => loaded?.states.get(row))).toEqual(['already-done', 'unknown']);
      expect(content).toBe(whole);
      const marked = await load(journalText(600, ['>1']).slice(0, -1) + space);
      expect(marked.loaded?.states.get(1)).toBe('unknown');
      expect(marked.content + marked.loaded!.checksum.add('>2')).toBe(journalText(600, ['>1', '>2']));
    },
  );

  test('is removed with the space that was reserved after it', async () => {
    for (const space of ['\0', '\0'.repeat(20_000)]) {
      const safe = journalText(600, ['>1']);
      for (const torn of ['', '=1', '=1:7 12ab', '=1:7 00000000'])
        expect((await load(safe + torn + space)).content).toBe(safe);
    }
  });

  test('is removed if only its end is on disk, with zeros before it', async () => {
    const { content } = await load(whole.replace('=1:7', '\0\0\0\0'));
    expect(content).toBe(journalText(600, ['>1 >2']));
  });

  test('is no import if the plan is incomplete, and stays as it is', async () => {
    const plan = journalText(600);
    for (let length = 0; length < plan.length - 1; length += 13) {
      const content = plan.slice(0, length);
      expect(await load(content)).toEqual({ loaded: undefined, isUnstarted: false, isCutOff: true, content });
    }
    // A disk can write out of order.
    const lines = plan.split('\n');
    expect((await load(lines.with(1, 'x'.repeat(lines[1]!.length)).join('\n'))).loaded).toBeUndefined();
  });
});

test.each(['\0', '\0'.repeat(100), 'petstore\0\0', 'petstore-journal/1 \0'])(
  'a file with the size of the plan, but not its data, is empty: %j',
  async (content) => {
    expect(await load(content)).toEqual({ loaded: undefined, isUnstarted: false, isCutOff: true, content });
  },
);

test.each([[], ['>1'], ['>1', '-1'], ['>1 >2', '-2', '-1 @1:"odd"']])(
  'an import is unstarted while no row was sent with effect: %j',
  async (...lines) => {
    const { loaded, isUnstarted } = await load(journalText(3, lines));
    const isSent = lines.length === 1;
    expect([loaded === undefined, isUnstarted]).toEqual([!isSent, !isSent]);
  },
);

test('an unstarted import leaves the finished one before it in place', async () => {
  const finished = journalText(1, ['>1', '=1:7']);
  for (const lines of [[], ['>2', '-2']]) {
    const created = new Map([[1, 7n]]);
    const seal = new LineChecksum();
    const plan = [...formatPlan('https://pets.test/v1', digest(3), { created }), ...lines];
    const { loaded, isUnstarted, content } = await load(
      finished + plan.map((body) => seal.add(body)).join(''),
    );
    expect([loaded?.digest.rows, loaded?.states.count('already-done'), isUnstarted]).toEqual([1, 1, false]);
    expect(content).toBe(finished);
  }
});

test.each(['\0\0\0 ftyp', '\0\n', 'other\0', 'petstore\0journal'])(
  'a foreign file is not truncated: %j',
  async (content) => {
    await expect(load(content)).rejects.toThrow('is not an import journal');
  },
);

describe('a damaged journal is rejected', () => {
  const lines = journalText(600, ['>1 >2', '=1:7', '=2:8']).split('\n').slice(0, -1);

  test.each(lines.map((_, index) => index + 1))('with damage in line %d', async (number) => {
    // One digit of the checksum.
    const line = lines[number - 1]!;
    const changed = lines.with(number - 1, line.slice(0, -1) + (line.endsWith('0') ? '1' : '0'));
    await expect(load(`${changed.join('\n')}\n`)).rejects.toMatchObject({
      reason: 'journal-damaged',
      line: number,
    });
  });

  test.each([2, 6, 7])('without line %d', async (number) => {
    await expect(load(`${lines.toSpliced(number - 1, 1).join('\n')}\n`)).rejects.toMatchObject({
      line: number,
      message: `Journal j is damaged in line ${String(number)}`,
    });
  });

  test.each([
    ['of a row that there is not', '>601'],
    ['that is none', 'what?'],
    ['without a row', '>'],
  ])('with a record %s', async (_, body) => {
    await expect(load(journalText(600, ['>1', body, '>2']))).rejects.toMatchObject({
      reason: 'journal-damaged',
      line: 7,
    });
  });

  test.each([
    ['name,categoryId\nRex,7\n', 'is not an import journal'],
    ['\n', 'is not an import journal'],
    ['x', 'is not an import journal'],
    ['petstore-journals\n', 'is not an import journal'],
    ['petstore-journal/2 {}\n', 'another version'],
  ])('if it is %j', async (content, message) => {
    await expect(load(content)).rejects.toMatchObject({ line: 1, message: expect.stringContaining(message) });
  });
});

describe('an edited or foreign file is damaged, not trusted:', () => {
  const plan = journalText(2);
  const edited = (from: string, to: string): string =>
    journalText(2, ['>1', '=1:7', '>2', '=2:8']).replace(from, to);
  test.each([
    ['a changed id', edited('=1:7', '=1:9'), 5],
    ['a changed state', edited('=1:7', '-1:7'), 5],
    ['a missing line', edited(/^>2.*\n/m.exec(edited('', ''))![0], ''), 6],
    ['a plan with another number of rows', edited('"rows":2', '"rows":3'), 1],
    ['a reason that can not exist', journalText(2, ['!1:4096', '>2']), 4],
    ['a line that is longer than any write', `${plan}${'>1 '.repeat(6_000_000)}\n`, 4],
    ['a plan without line breaks', `${plan.slice(0, 30)}${'x'.repeat(17_000_000)}`, 1],
  ])('%s', async (_, content, line) => {
    await expect(load(content)).rejects.toMatchObject({ reason: 'journal-damaged', line });
  });

  test('a service that is no text, or a count of rows that the blocks do not have', async () => {
    for (const header of ['"s","rows":-1', '"s","rows":600', '"s","rows":9007199254740991', '5,"rows":0']) {
      const seal = new LineChecksum();
      const lines = [`petstore-journal/1 {"service":${header}}`, 'ready'];
      await expect(load(lines.map((body) => seal.add(body)).join(''))).rejects.toMatchObject({
        reason: 'journal-damaged',
      });
    }
  });

  test('a file without line breaks is read in linear time', async () => {
    async function* endless() {
      for (let chunks = 0; chunks < 4_000; chunks += 1) yield Buffer.alloc(65_536, 'x');
      throw new Error('read too far');
    }
    const file = { ...(await createMemoryDisk().open()), read: endless };
    await expect(loadJournal(file, 'j')).rejects.toMatchObject({ message: 'j is not an import journal' });
  });
});
