import { expect, test } from 'vitest';
import { createPage } from '../../../../../src/cli/output/table/page.js';
import {
  redirectRows,
  redirectVerdict,
  showRedirectHops,
} from '../../../../../src/cli/commands/domain/report/redirect-rows.js';
import type { Finding } from '../../../../../src/domain/index.js';

const ENTRY = {
  from: 'WWW.müller.example',
  to: 'shop.example',
  status: 301,
  observed: [
    { url: 'http://www.xn--mller-kva.example/a?b', status: 302, location: 'https://shop.example/a?b' },
    { url: 'https://www.xn--mller-kva.example/a?b', trouble: 'connection refused' },
  ],
};
const LEAD = 'www.xn--mller-kva.example → shop.example';

const ASCII = { from: 'www.xn--mller-kva.example', to: 'shop.example', status: 301 };

function finding(
  severity: Finding['severity'],
  reason: string,
  entries: Finding['entries'] = [ASCII],
): Finding {
  const message = `${LEAD}: ${reason}`;
  return { id: 'redirect.status', axis: 'redirect', severity, message, reason, evidence: [], entries };
}

test('each row has the entry, URL, response and result', () => {
  const findings = [
    finding('warn', 'it is long.'),
    finding('block', 'from http: 302, not 301.'),
    finding('block', 'no.', [{ ...ASCII, from: 'www.other.example' }]),
    finding('block', 'no.', [{ ...ASCII, status: 302 }]),
  ];
  const whole = { from: ENTRY.from, to: ENTRY.to, status: 301 };
  const judged = {
    result: 'wrong',
    reason: 'redirect.status: from http: 302, not 301. redirect.status: it is long.',
  };
  expect(redirectRows([ENTRY], findings)).toEqual([
    {
      ...whole,
      url: 'http://www.xn--mller-kva.example',
      response: '302 https://shop.example/a?b',
      ...judged,
    },
    { ...whole, url: 'https://www.xn--mller-kva.example', response: 'connection refused', ...judged },
  ]);
});

test.each<[Finding['severity'][], string]>([
  [['info'], 'ok'],
  [['info', 'warn'], 'warning'],
  [['warn', 'unknown'], 'unknown'],
  [['unknown', 'wait'], 'pending'],
  [[], 'unknown'],
])('findings %j: %s', (severities, result) => {
  const findings = severities.map((severity) => finding(severity, 'text.'));
  expect(redirectRows([{ ...ENTRY, observed: [] }], findings)).toEqual([
    expect.objectContaining({ url: '', response: 'not checked', result }),
  ]);
});

test('assigns a finding about several entries to each of them', () => {
  const back = { ...ENTRY, from: 'shop.example', to: 'www.müller.example', observed: [] };
  const circle = finding('block', 'Round and round.', [ASCII, { ...ASCII, from: ASCII.to, to: ASCII.from }]);
  const judged = { result: 'wrong', reason: 'redirect.status: Round and round.' };
  expect(redirectRows([{ ...ENTRY, observed: [] }, back], [circle])).toEqual([
    expect.objectContaining({ to: 'shop.example', ...judged }),
    expect.objectContaining({ to: 'www.müller.example', ...judged }),
  ]);
});

test('matches an invalid host by its text', () => {
  const from = 'https://shop.example/';
  const odd = finding('block', 'redirects[0].from: no.', [{ ...ASCII, from }]);
  expect(redirectRows([{ ...ENTRY, from, observed: [] }], [odd])).toMatchObject([{ result: 'wrong' }]);
});

test('shows each entry once on a page', async () => {
  const page = await createPage({ stdout: { isTTY: true, width: 100, colorLevel: 0 }, now: 0 }, []);
  showRedirectHops([{ ...ENTRY, from: 'www.example' }], page);
  expect(page.toString()).toBe(
    [
      '  ENTRY                             URL                                RESPONSE',
      '  www.example → shop.example (301)  http://www.xn--mller-kva.example   302 https://shop.example/a?b',
      '                                    https://www.xn--mller-kva.example  connection refused',
      '',
    ].join('\n'),
  );
});

test('the verdict counts the entries by result', () => {
  const entries = ['a', 'b', 'c'].map((label) => ({ ...ENTRY, from: `${label}.example`, observed: [] }));
  const about = (severity: Finding['severity'], ...labels: string[]): Finding =>
    finding(
      severity,
      'Text.',
      labels.map((label) => ({ ...ASCII, from: `${label}.example` })),
    );
  const verdict = (count: number, ...findings: Finding[]): string =>
    redirectVerdict(entries.slice(0, count), findings);
  expect(verdict(1, about('info', 'a'))).toBe('1 redirect: works');
  expect(verdict(3, about('info', 'a', 'b', 'c'))).toBe('3 redirects: all work');
  expect(verdict(3, about('info', 'a'), about('block', 'b'))).toBe(
    '3 redirects: 1 works, 1 needs a fix, 1 not checked',
  );
  expect(verdict(2, about('block', 'a', 'b'))).toBe('2 redirects: all need a fix');
});
