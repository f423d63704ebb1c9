import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../src/schema/json.js';
import { runPython } from '../integration/python.js';
import { corpus, fuzz, mutate, oneOf, runs, SEED } from '../support/random-runs.js';

const TEXTS = Object.values(corpus('json-texts'));
const whyNoPython = ((): string | undefined => {
  try {
    runPython('import json', '');
    return undefined;
  } catch {
    return 'python3 is not installed';
  }
})();

test('any text is accepted exactly if JSON.parse accepts it, with the same value', async () => {
  await fuzz(2_000, (random) => {
    const pieces = [...'"[{,-', '9007199254740993', '\\u', '1e'];
    const text = mutate(random, Buffer.from(oneOf(random, TEXTS)), pieces).toString();
    const [own, expected] = [valueOf(parseJson, text), valueOf(JSON.parse, text)];
    // Long integers are numbers in JSON.parse.
    expect(withNumbers(own), text).toEqual(expected);
  });
});

function valueOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return 'rejected';
  }
}

function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withNumbers(each)]));
}

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((int) => (isLong(int) ? int : Number(int))),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(asWritten),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
}));

/** JSON has no -0, and a whole double beyond 2^53 reads as a long integer. */
function asWritten(number: number): number {
  if (Object.is(number, -0)) return 0;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? 0.5 : number;
}

function isLong(int: bigint): boolean {
  return int > BigInt(Number.MAX_SAFE_INTEGER) || int < BigInt(Number.MIN_SAFE_INTEGER);
}

test.skipIf(whyNoPython !== undefined)(
  `Python's json reads what stringifyJson writes, and writes what parseJson reads (${whyNoPython ?? 'installed'})`,
  () => {
    const values = fc.sample(anyValue, { seed: SEED, numRuns: runs(300) });
    const program = 'import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)))';
    const lines = runPython(program, values.map((value) => `${stringifyJson(value)}\n`).join(''))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(values.length);
    lines.forEach((line, index) => {
      expect(parseJson(line), `PETSTORE_TEST_SEED=${String(SEED)}: ${line}`).toEqual(
        parseJson(stringifyJson(values[index])),
      );
      expect(parseJson(line), `PETSTORE_TEST_SEED=${String(SEED)}: ${line}`).toEqual(plain(values[index]));
    });
  },
);

/** fast-check makes objects without a prototype. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
