import { expect, test } from 'vitest';
import type { DnsFlags } from '../../../../src/cli/commands/domain/domain-flags.js';
import {
  type DomainCommand,
  type InheritedFlags,
  type InheritedGlobals,
  longerTimeout,
  renderCommand,
  renderNextSteps,
} from '../../../../src/cli/commands/domain/next-commands.js';
import type { NextAction } from '../../../../src/domain/index.js';
import { buildReport } from './report-builder.js';

const LIVE = { mock: false, staging: false };
const MOCK = { mock: true, staging: false };
const DNS = { resolvers: [], usePublic: true };
const VERIFY: DomainCommand = { verb: 'verify', domains: ['a.example'] };
const CERT: DomainCommand = { verb: 'cert', domains: ['a.example'] };
const RECORDS: DomainCommand = { verb: 'records', domains: ['a.example'] };

test.each<[DnsFlags, boolean, DomainCommand, string]>([
  [DNS, false, VERIFY, 'petstore domain verify a.example'],
  [DNS, true, VERIFY, 'petstore --mock domain verify a.example'],
  [
    { ...DNS, kind: 'apex', doh: 'https://d.example/q?a=b', authoritativePort: 5353 },
    false,
    VERIFY,
    "petstore domain verify a.example --apex --doh 'https://d.example/q?a=b' --authoritative-port 5353",
  ],
  [
    { resolvers: ['::1', '127.0.0.1:53'], usePublic: false },
    false,
    { ...VERIFY, noPublic: true },
    'petstore domain verify a.example --no-public --resolver ::1 --resolver 127.0.0.1:53',
  ],
  [
    DNS,
    false,
    { verb: 'verify', domains: ['a.example', 'b.example'], target: 't.example', wait: true },
    'petstore domain verify a.example b.example --target t.example --wait',
  ],
])('repeats the DNS flags %j, with mock %j, on %j', (dns, mock, command, line) => {
  expect(renderCommand(command, { dns }, { mock, staging: false })).toBe(line);
});

const SUBJECT = { domain: 'a.example', target: 't.example' };
const CERT_STEP = { step: 'cert', ...SUBJECT } as const;
const VERIFY_STEP = { step: 'verify', ...SUBJECT } as const;
const STEPS: readonly NextAction[] = [
  CERT_STEP,
  { ...VERIFY_STEP, until: 'active', wait: true },
  VERIFY_STEP,
  { step: 'dig', command: 'dig a.example' },
];

function commandsOf(
  actions: readonly NextAction[],
  flags: Partial<InheritedFlags> = {},
  globals: InheritedGlobals = LIVE,
): string[] {
  const next = actions.map((action) => ({ command: '', when: 'now', action }));
  return renderNextSteps(buildReport({ next }), { dns: DNS, ...flags }, globals).next.map(
    ({ command }) => command,
  );
}

test('prints the command and the time of a step alone', () => {
  const report = buildReport({ next: [{ command: '', when: 'now', action: CERT_STEP }] });
  expect(renderNextSteps(report, { dns: DNS }, LIVE).next).toEqual([
    { command: 'petstore domain cert a.example --target t.example', when: 'now' },
  ]);
});

test('names the target in every command', () => {
  expect(commandsOf(STEPS)).toEqual([
    'petstore domain cert a.example --target t.example',
    'petstore domain verify a.example --target t.example --until active --wait',
    'petstore domain verify a.example --target t.example',
    'dig a.example',
  ]);
});

test('leaves out dig with --mock, whose servers end with the command', () => {
  expect(commandsOf(STEPS, {}, MOCK)).toEqual([
    'petstore --mock domain cert a.example --target t.example',
    'petstore --mock domain verify a.example --target t.example --until active --wait',
    'petstore --mock domain verify a.example --target t.example',
  ]);
});

test('keeps the certificate steps with --mock and --connect', () => {
  expect(commandsOf(STEPS, { probe: { connect: '::1' } }, MOCK)).toEqual([
    'petstore --mock domain cert a.example --target t.example --connect ::1',
    'petstore --mock domain verify a.example --target t.example --until active --wait --connect ::1',
    'petstore --mock domain verify a.example --target t.example --connect ::1',
  ]);
});

test('removes a repeated command', () => {
  const steps = [VERIFY_STEP, { ...VERIFY_STEP, noPublic: true }];
  expect(commandsOf(steps, { dns: { ...DNS, usePublic: false } })).toEqual([
    'petstore domain verify a.example --target t.example --no-public',
  ]);
});

test('does not suggest --no-public if a resolver is chosen', () => {
  const steps = [{ ...VERIFY_STEP, noPublic: true }];
  const countOf = (dns: DnsFlags) => commandsOf(steps, { dns }).length;
  expect([
    countOf(DNS),
    countOf({ ...DNS, resolvers: ['::1'] }),
    countOf({ ...DNS, doh: 'https://d.example/q' }),
  ]).toEqual([1, 0, 0]);
});

test.each<[boolean, string]>([
  [false, 'petstore domain verify a.example --target t.example --timeout 60s'],
  [true, 'petstore domain verify a.example --target t.example --wait'],
])('repeats a check that reached its time limit, in a wait (%j): %s', (wait, line) => {
  expect(commandsOf([{ ...VERIFY_STEP, timeoutMs: 60_000 }], { wait })).toEqual([line]);
});

const PROBE = { connect: '127.0.0.1', httpsPort: 8443, httpPort: 8080 };
const PROBED = "--connect 127.0.0.1 --https-port 8443 --http-port 8080 --ca 'my ca.pem'";

test.each<[DomainCommand, string]>([
  [
    VERIFY,
    `petstore domain verify a.example ${PROBED} --plan pro --not-deployed --issuer ca.example --no-certificate --strict`,
  ],
  [
    { ...VERIFY, until: 'active', wait: true },
    `petstore domain verify a.example --until active --wait ${PROBED} --plan pro --not-deployed --issuer ca.example --strict`,
  ],
  [CERT, `petstore domain cert a.example ${PROBED}`],
  [RECORDS, 'petstore domain records a.example'],
])('repeats the flags that the command has: %j', (command, line) => {
  const more = {
    plan: 'pro',
    deployed: false,
    issuer: 'ca.example',
    certificate: false,
    strict: true,
  } as const;
  expect(renderCommand(command, { dns: DNS, probe: PROBE, caFile: 'my ca.pem', ...more }, LIVE)).toBe(line);
});

const WAIT: DomainCommand = { ...VERIFY, wait: true };

test.each<[DomainCommand, Partial<InheritedFlags>, Partial<InheritedGlobals>, string]>([
  // The limit of a wait is not the limit of one check.
  [VERIFY, {}, { timeoutMs: 90_500 }, '--timeout 90.5s'],
  [WAIT, {}, { timeoutMs: 5_000 }, '--wait'],
  [WAIT, { wait: true }, { timeoutMs: 5_000 }, '--wait --timeout 5s'],
  [VERIFY, { wait: true }, { timeoutMs: 5_000 }, ''],
  // A step's own limit is the longer one.
  [{ ...VERIFY, timeoutMs: 60_000 }, {}, { timeoutMs: 5_000 }, '--timeout 60s'],
  [{ ...VERIFY, timeout: '--timeout 1h' }, {}, { timeoutMs: 5_000 }, '--timeout 1h'],
  [WAIT, { wait: true, longerWait: '--timeout 1h' }, { timeoutMs: 5_000 }, '--wait --timeout 1h'],
  [WAIT, { until: 'active' }, {}, '--wait --until active'],
  [{ ...WAIT, until: 'active' }, { until: 'active' }, {}, '--until active --wait'],
  [VERIFY, { thorough: true, strict: true }, {}, '--thorough --strict'],
  [VERIFY, { probesPlatform: true }, {}, '--probe'],
  [{ ...VERIFY, verb: 'cert' }, { thorough: true }, {}, ''],
  [VERIFY, { verifiedAt: 0 }, {}, '--verified-at 1970-01-01T00:00:00.000Z'],
  [
    VERIFY,
    {},
    { profile: 'my shop', baseUrl: 'https://a.test/v1', staging: true },
    "--profile 'my shop' --base-url https://a.test/v1 --staging",
  ],
])('%j with %j, %j', (command, flags, globals, words) => {
  expect(renderCommand(command, { dns: DNS, ...flags }, { ...LIVE, ...globals })).toBe(
    `petstore domain ${command.verb} a.example ${words}`.trimEnd(),
  );
});

test.each([
  [5_000, 60_000, '--timeout 1m'],
  [45_500, 60_000, '--timeout 91s'],
  [1_800_000, 1_800_000, '--timeout 1h'],
])('doubles a limit of %i ms, to %i ms or more: %s', (ranOutAfterMs, leastMs, flag) => {
  expect(longerTimeout(ranOutAfterMs, leastMs)).toBe(flag);
});
