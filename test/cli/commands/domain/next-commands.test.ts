import { expect, test } from 'vitest';
import type { AskFlags } from '../../../../src/cli/commands/domain/domain-flags.js';
import {
  type GlobalFlags,
  longerTimeout,
  ownCommand,
  type OwnFlags,
  withOwnFlags,
} from '../../../../src/cli/commands/domain/next-commands.js';
import { buildReport } from './report-builder.js';

const LIVE = { mock: false, staging: false };
const MOCK = { mock: true, staging: false };
const ASK = { resolvers: [], usePublic: true };

test.each([
  [ASK, false, 'petstore domain verify a.example', 'petstore domain verify a.example'],
  [ASK, true, 'petstore domain verify a.example', 'petstore --mock domain verify a.example'],
  [ASK, true, 'dig a.example', 'dig a.example'],
  [
    { ...ASK, kind: 'apex', doh: 'https://d.example/q?a=b', authoritativePort: 5353 } as const,
    false,
    'petstore domain verify a.example',
    "petstore domain verify a.example --apex --doh 'https://d.example/q?a=b' --authoritative-port 5353",
  ],
  [
    { resolvers: ['::1', '127.0.0.1:53'], usePublic: false },
    false,
    'petstore domain verify a.example --no-public',
    'petstore domain verify a.example --no-public --resolver ::1 --resolver 127.0.0.1:53',
  ],
])('%j, mock %j: %s', (flags, mock, command, own) => {
  expect(ownCommand(command, { ask: flags }, { mock, staging: false })).toBe(own);
});

const NEXT = [
  { command: 'petstore domain cert a.example', when: 'now' },
  { command: 'petstore domain verify a.example --until active --wait', when: 'now' },
  { command: 'petstore domain verify a.example', when: 'now' },
  { command: 'dig a.example', when: 'now' },
];

test('the certificate is looked at with the target that was given', () => {
  const { next } = withOwnFlags(buildReport({ next: NEXT }), { ask: ASK }, LIVE);
  expect(next.map(({ command }) => command)).toEqual([
    'petstore domain cert a.example --target t.example',
    ...NEXT.slice(1).map(({ command }) => command),
  ]);
});

test('with --mock only what can be done with it is left', () => {
  const { next } = withOwnFlags(buildReport({ next: NEXT }), { ask: ASK }, MOCK);
  expect(next.map(({ command }) => command)).toEqual(['petstore --mock domain verify a.example']);
});

const PROBE = { connect: '127.0.0.1', httpsPort: 8443, httpPort: 8080 };
const PROBED = "--connect 127.0.0.1 --https-port 8443 --http-port 8080 --ca 'my ca.pem'";

test.each([
  [
    'petstore domain verify a.example',
    `${PROBED} --plan pro --not-deployed --issuer ca.example --no-certificate --strict`,
  ],
  [
    'petstore domain verify a.example --until active --wait',
    `${PROBED} --plan pro --not-deployed --issuer ca.example --strict`,
  ],
  ['petstore domain cert a.example', PROBED],
  ['petstore domain records a.example', ''],
  ['petstore domain verify --help', ''],
])('%s goes on with the flags that it has: %s', (command, words) => {
  const more = {
    plan: 'pro',
    deployed: false,
    issuer: 'ca.example',
    certificate: false,
    strict: true,
  } as const;
  expect(ownCommand(command, { ask: ASK, probe: PROBE, caFile: 'my ca.pem', ...more }, LIVE)).toBe(
    `${command} ${words}`.trimEnd(),
  );
});

const VERIFY = 'petstore domain verify a.example';

test.each<[string, Partial<OwnFlags>, Partial<GlobalFlags>, string]>([
  // How long to wait is not how long one check may take.
  [VERIFY, {}, { timeoutMs: 90_500 }, `${VERIFY} --timeout 90.5s`],
  [`${VERIFY} --wait`, {}, { timeoutMs: 5_000 }, `${VERIFY} --wait`],
  [`${VERIFY} --wait`, { wait: true }, { timeoutMs: 5_000 }, `${VERIFY} --wait --timeout 5s`],
  [VERIFY, { wait: true }, { timeoutMs: 5_000 }, VERIFY],
  // Its own is the longer one.
  [`${VERIFY} --timeout 60s`, {}, { timeoutMs: 5_000 }, `${VERIFY} --timeout 60s`],
  [`${VERIFY} --wait`, { until: 'active' }, {}, `${VERIFY} --wait --until active`],
  [`${VERIFY} --until active --wait`, { until: 'active' }, {}, `${VERIFY} --until active --wait`],
  [VERIFY, { verifiedAt: 0 }, {}, `${VERIFY} --verified-at 1970-01-01T00:00:00.000Z`],
  [
    VERIFY,
    {},
    { profile: 'my shop', baseUrl: 'https://a.test/v1', staging: true },
    `${VERIFY} --profile 'my shop' --base-url https://a.test/v1 --staging`,
  ],
])('%s with %j, %j', (command, flags, global, own) => {
  expect(ownCommand(command, { ask: ASK, ...flags }, { ...LIVE, ...global })).toBe(own);
});

test('what comes to the same command is there once', () => {
  const next = ['', ' --no-public'].map((flag) => ({
    command: `petstore domain verify a.example${flag}`,
    when: 'now',
  }));
  const flags = { ask: { ...ASK, usePublic: false } };
  expect(withOwnFlags(buildReport({ next }), flags, LIVE).next).toEqual([next[1]]);
});

test('public resolvers are no matter where one is named', () => {
  const next = [{ command: 'petstore domain verify a.example --no-public', when: 'now' }];
  const left = (ask: AskFlags) => withOwnFlags(buildReport({ next }), { ask }, LIVE).next.length;
  expect([
    left(ASK),
    left({ ...ASK, resolvers: ['::1'] }),
    left({ ...ASK, doh: 'https://d.example/q' }),
  ]).toEqual([...[1, 0, 0]]);
});

test('with --mock and a server named there is a certificate to look at', () => {
  const { next } = withOwnFlags(buildReport({ next: NEXT }), { ask: ASK, probe: { connect: '::1' } }, MOCK);
  expect(next.map(({ command }) => command)).toEqual([
    'petstore --mock domain cert a.example --target t.example --connect ::1',
    'petstore --mock domain verify a.example --until active --wait --connect ::1',
    'petstore --mock domain verify a.example --connect ::1',
  ]);
});

test.each([
  [5_000, 60_000, '--timeout 1m'],
  [45_500, 60_000, '--timeout 91s'],
  [1_800_000, 1_800_000, '--timeout 1h'],
])('after %i ms, of %i at least: %s', (ranOutAfterMs, leastMs, flag) => {
  expect(longerTimeout(ranOutAfterMs, leastMs)).toBe(flag);
});
