import { expect, test } from 'vitest';
import type { RedirectEntry } from '../../../src/domain/report/options.js';
import { redirectEntries } from '../../../src/domain/redirect/redirect-entry-rules.js';
import { expectComplete } from '../rule-table.js';

const entry = (from: string, to: string, status = 301): RedirectEntry => ({ from, to, status });
const A = 'a.example.test';
const B = 'b.example.test';
const C = 'c.example.test';

const cases: [string, RedirectEntry[], string[]][] = [
  ['right', [entry(A, B), entry(C, B, 308)], []],
  [
    'an URL',
    [entry(A, B), entry('https://a.example.test/x', B)],
    ['name.invalid block redirects[1].from: "https://a.example.test/x"'],
  ],
  ['an address', [entry(A, '192.0.2.1')], ['name.ip block redirects[0].to: "192.0.2.1"']],
  [
    'a status that does not redirect',
    [entry(A, B, 200)],
    [`redirect.status block ${A} → ${B}: 200 is no status that redirects.`],
  ],
  [
    'a status with another meaning',
    [entry(A, B, 304)],
    [`redirect.status block ${A} → ${B}: 304 is no status that redirects.`],
  ],
  [
    'the same twice',
    [entry(A, B), entry('A.Example.test.', B)],
    [`redirect.target warn ${A} → ${B}: the entry is there 2 times.`],
  ],
  [
    'two of one host',
    [entry(A, B), entry(A, C), entry(A, B, 302)],
    [
      `redirect.target block ${A} → ${B}: 3 entries say different things of ${A}: ${B} with 301, ${C} with 301 and ${B} with 302.`,
    ],
  ],
  ['itself', [entry(A, A)], [`redirect.loop block ${A} → ${A}: the entries lead in a circle: ${A} → ${A}.`]],
  [
    'a circle, told once',
    [entry(A, B), entry(B, C), entry(C, A)],
    [`redirect.loop block ${A} → ${B}: the entries lead in a circle: ${A} → ${B} → ${C} → ${A}.`],
  ],
  [
    'into a circle',
    [entry(A, B), entry(B, C), entry(C, B)],
    [`redirect.loop block ${A} → ${B}: the entries lead in a circle: ${A} → ${B} → ${C} → ${B}.`],
  ],
  [
    'a chain',
    [entry(A, B), entry(B, C)],
    [`redirect.loop warn ${A} → ${B}: ${B} is redirected itself, so visitors take 2 steps to ${C}.`],
  ],
];

test.each(cases)('%s', (_name, entries, expected) => {
  const findings = redirectEntries(entries);
  expect(findings.map(({ id, severity, message }) => `${id} ${severity} ${message}`)).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  );
  for (const finding of findings) {
    expect(finding.axis).toBe('redirect');
    expectComplete(finding);
  }
});

test('names all entries that a finding is about, as DNS has their hosts', () => {
  const about = (entries: RedirectEntry[]) => redirectEntries(entries).map((finding) => finding.entries);
  expect(about([entry(A, B), entry('B.Example.test.', A), entry(C, A)])).toEqual([
    [entry(A, B), entry(B, A)],
    [entry(A, B), entry(B, A), entry(C, A)],
  ]);
  expect(about([entry(A, B), entry(A, C)])).toEqual([[entry(A, B), entry(A, C)]]);
  expect(about([entry('https://a.test/\u0007', B)])).toEqual([[entry('https://a.test/\\007', B)]]);
});

test('looks for the target among the domains, where these are known', () => {
  const entries = [entry(A, B), entry(C, B)];
  expect(redirectEntries(entries, { attached: [B] })).toEqual([]);
  const [finding] = redirectEntries([entry(A, 'B.example.test')], { attached: [C] });
  expect(finding?.message).toBe(`${A} → ${B}: ${B} is not among the domains of the project.`);
});
