import { describe, expect, test } from 'vitest';
import type { Axis, Finding } from '../../../src/domain/report/finding.js';
import type { Report } from '../../../src/domain/report/report.js';
import { nextDelay, waitStateOf, type WaitState } from '../../../src/domain/diagnose/wait.js';
import { named } from '../../support/named.js';

describe('the delay before the next check', () => {
  const cases: [string, WaitState, number, number, number][] = [
    ['record, first', { phase: 'record' }, 0, 0.5, 5_000],
    ['record, least jitter', { phase: 'record' }, 0, 0, 4_000],
    ['record, most jitter', { phase: 'record' }, 0, 0.999_999, 6_000],
    ['record, second after a short first', { phase: 'record' }, 4_000, 0.5, 10_000],
    ['record, third', { phase: 'record' }, 12_000, 0.5, 20_000],
    ['record, fourth', { phase: 'record' }, 35_000, 0.5, 30_000],
    ['record, much later', { phase: 'record' }, 3_600_000, 0.5, 30_000],
    ['propagation, to the expiry', { phase: 'propagation', nextExpiryMs: 60_000 }, 0, 0.5, 61_000],
    ['propagation, about to end', { phase: 'propagation', nextExpiryMs: 0 }, 0, 0.5, 5_000],
    ['propagation, in days', { phase: 'propagation', nextExpiryMs: 86_400_000 }, 0, 0.5, 300_000],
    ['propagation, not known', { phase: 'propagation' }, 0, 0.5, 5_000],
    ['certificate, first', { phase: 'certificate' }, 0, 0.5, 5_000],
    ['certificate, after 2 min', { phase: 'certificate' }, 120_000, 0.5, 15_000],
    ['certificate, after 10 min', { phase: 'certificate' }, 600_000, 0.5, 30_000],
    ['certificate, just before 30 min', { phase: 'certificate' }, 1_790_000, 0.5, 10_000],
    ['certificate, after 30 min', { phase: 'certificate' }, 1_800_000, 0.5, 60_000],
  ];
  test.each(cases)('%s', (_, state, elapsedMs, random, expected) => {
    expect(nextDelay(state, elapsedMs, random)).toBe(expected);
  });
});

describe('what to wait for after a report', () => {
  const cases = named<[parts: Partial<Report>, expected: unknown, goal?: 'verified' | 'active']>({
    active: [{ state: 'active' }, 'reached', 'active'],
    'verified, wanted': [{ state: 'verified' }, 'reached'],
    'verified, more wanted': [{ state: 'verified' }, { phase: 'certificate' }, 'active'],
    invalid: [{ state: 'invalid' }, 'blocked'],
    'plan too small': [{ state: 'action-required', findings: [block('plan')] }, 'blocked'],
    'not deployed': [{ state: 'action-required', findings: [block('record'), block('deploy')] }, 'blocked'],
    'record wrong': [{ state: 'action-required', findings: [block('record')] }, { phase: 'record' }],
    'certificate overdue': [
      { state: 'verified', findings: [block('certificate')] },
      { phase: 'certificate' },
      'active',
    ],
    'certificate overdue, more blocked': [
      {
        state: 'action-required',
        verifiedAt: new Date(0),
        findings: [block('certificate')],
      },
      { phase: 'certificate' },
    ],
    'certificate wrong, record too': [
      { state: 'action-required', findings: [block('record'), block('certificate')] },
      { phase: 'record' },
    ],
    'CAA forbids': [{ state: 'verified', findings: [block('caa')] }, { phase: 'certificate' }, 'active'],
    'no response': [{ state: 'inconclusive' }, { phase: 'record' }],
    'a server behind': [{ state: 'propagating' }, { phase: 'record' }],
    'resolvers behind': [
      { state: 'propagating', estimate: estimate(900, 40) },
      { phase: 'propagation', nextExpiryMs: 40_000 },
    ],
  });
  test.each(cases)('%s', (_, parts, expected, goal = 'verified') => {
    expect(waitStateOf({ findings: [], ...parts } as Report, goal)).toEqual(expected);
  });
});

function block(axis: Axis): Finding {
  return { id: 'record.missing', axis, severity: 'block', message: '', evidence: [] };
}

function estimate(...remaining: number[]): NonNullable<Report['estimate']> {
  return {
    latest: new Date('2026-03-01T12:15:00Z'),
    inSeconds: Math.max(...remaining),
    perResolver: remaining.map((seconds, index) => ({ resolver: String(index), remaining: seconds })),
  };
}
