import { expect, test } from 'vitest';
import { certificateUnseen } from '../../../src/domain/certificate/certificate-unseen.js';
import { buildCertificateFacts, closed, guarded, right, silent, unrouted } from '../certificate-builder.js';
import { expectComplete } from '../rule-table.js';

test.each([
  ['failure', [silent], ['The certificate at 192.0.2.80 could not be looked at: no response within 5 s.']],
  [
    'each reason once',
    [guarded, silent, guarded],
    [
      'The certificate at 192.0.2.80 and 192.0.2.81 could not be looked at: not probed: it is reserved for one link.',
      'The certificate at 2001:db8::80 could not be looked at: no response within 5 s.',
    ],
  ],
  [
    'no way anywhere',
    [unrouted],
    ['The certificate at 192.0.2.80 could not be looked at: no route from this machine.'],
  ],
  [
    'no address',
    [],
    ['The certificate of shop.example.test could not be looked at: no address of it is known.'],
  ],
  ['no way to some', [right, unrouted], []],
  ['all seen', [right, closed], []],
] as const)('%s', (_name, seen, messages) => {
  const findings = certificateUnseen(buildCertificateFacts(seen));
  expect(findings.map(({ message }) => message)).toEqual(messages);
  for (const finding of findings) expectComplete(finding);
  for (const { id, severity } of findings) expect([id, severity]).toEqual(['cert.no-tls', 'unknown']);
});

test('takes more time where there was too little', () => {
  const late = { kind: 'aborted', detail: 'the time allowed ran out' } as const;
  const [finding] = certificateUnseen(buildCertificateFacts([late]));
  expect(finding?.message).toContain('the time allowed ran out');
  expect(finding?.fix?.text).toBe('Allow more time with --timeout.');
});

test('names the way out, and no command that would go there', () => {
  const [finding] = certificateUnseen(buildCertificateFacts([guarded]));
  expect(finding?.fix?.text).toContain('--connect HOST');
  expect(finding?.evidence).toEqual([{ text: '192.0.2.80: not probed: it is reserved for one link' }]);
});
