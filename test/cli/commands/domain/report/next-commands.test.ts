import { expect, test } from 'vitest';
import {
  type DomainCommand,
  renderCommand,
  renderNextSteps,
  withTextTimes,
} from '../../../../../src/cli/commands/domain/report/next-commands.js';
import type { Finding, NextAction } from '../../../../../src/domain/index.js';
import { parseLine } from '../../../../support/parse-line.js';
import { buildReport } from '../report-builder.js';

const VERIFY: DomainCommand = { verb: 'verify', domains: ['a.example'] };
const WAIT: DomainCommand = { ...VERIFY, wait: true };
const CERT: DomainCommand = { verb: 'cert', domains: ['a.example'] };
const RECORDS: DomainCommand = { verb: 'records', domains: ['a.example'] };

const PROBE = '--connect 127.0.0.1 --https-port 8443 --http-port 8080';
const SERVICE = "--profile 'my shop' --base-url https://a.test/v1";

test.each<[string, DomainCommand, string]>([
  ['', VERIFY, ''],
  ['--target x.example -v -o json --wait', { ...VERIFY, target: 't.example' }, '--target t.example'],
  ['--mock --apex', VERIFY, '--apex'],
  [
    "--authoritative-port 5353 --doh 'https://d.example/q?a=b' --apex",
    VERIFY,
    "--apex --doh 'https://d.example/q?a=b' --authoritative-port 5353",
  ],
  [
    '--resolver ::1 --resolver 127.0.0.1:53 --no-public',
    { ...VERIFY, noPublic: true },
    '--no-public --resolver ::1 --resolver 127.0.0.1:53',
  ],
  [
    `${PROBE} --ca 'my ca.pem' --plan pro --not-deployed --issuer ca.example --no-certificate --strict`,
    VERIFY,
    `${PROBE} --plan pro --not-deployed --issuer ca.example --no-certificate --strict --ca 'my ca.pem'`,
  ],
  [
    `${PROBE} --no-certificate --strict`,
    { ...WAIT, until: 'active' },
    `--until active --wait ${PROBE} --strict`,
  ],
  [`${PROBE} --plan pro --ca 'my ca.pem'`, CERT, `${PROBE} --ca 'my ca.pem'`],
  [`${PROBE} --ca 'my ca.pem'`, RECORDS, ''],
  // The limit of a wait is not the limit of one check.
  ['--timeout 90500ms', VERIFY, '--timeout 90.5s'],
  ['--timeout 5s', WAIT, '--wait'],
  ['--wait --timeout 5s', WAIT, '--wait --timeout 5s'],
  ['--wait --timeout 5s', VERIFY, ''],
  // A step's own limit is the longer one.
  ['--timeout 5s', { ...VERIFY, timeoutMs: 60_000 }, '--timeout 60s'],
  ['--timeout 5s', { ...VERIFY, timeout: '--timeout 1h' }, '--timeout 1h'],
  ['--until active', WAIT, '--wait --until active'],
  ['--until active', { ...WAIT, until: 'active' }, '--until active --wait'],
  ['--thorough --strict --probe', VERIFY, '--thorough --probe --strict'],
  ['--thorough', CERT, ''],
  ['--verified-at 2026-11-21T14:00Z', CERT, '--verified-at 2026-11-21T14:00Z'],
  [SERVICE, VERIFY, SERVICE],
  ['--staging', VERIFY, '--staging'],
])('"domain verify %s" is followed by %j with %s', async (flags, command, words) => {
  const line = await parseLine(`domain verify ${flags}`);
  const program = flags.includes('--mock') ? 'petstore --mock domain' : 'petstore domain';
  const rendered = renderCommand(command, line);
  expect(rendered).toBe(`${program} ${command.verb} a.example ${words}`.trimEnd());
  await parseLine(rendered.replace('petstore ', ''));
});

test('names all domains', async () => {
  const command: DomainCommand = { verb: 'verify', domains: ['a.example', 'b.example'] };
  expect(renderCommand(command, await parseLine('domain verify'))).toBe(
    'petstore domain verify a.example b.example',
  );
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

async function commandsOf(
  actions: readonly NextAction[],
  flags = '',
  longerWait?: string,
  findings: readonly Finding[] = [],
): Promise<string[]> {
  const next = actions.map((action) => ({ command: '', when: 'now', action }));
  const line = await parseLine(`domain verify ${flags}`);
  return renderNextSteps(buildReport({ next, findings }), line, longerWait).next.map(
    ({ command }) => command,
  );
}

test('prints the command and the time of a step alone', async () => {
  const report = buildReport({ next: [{ command: '', when: 'now', action: CERT_STEP }] });
  expect(renderNextSteps(report, await parseLine('domain verify')).next).toEqual([
    { step: 'cert', command: 'petstore domain cert a.example --target t.example', when: 'now' },
  ]);
});

test('names the target in every command', async () => {
  expect(await commandsOf(STEPS)).toEqual([
    'petstore domain cert a.example --target t.example',
    'petstore domain verify a.example --target t.example --until active --wait',
    'petstore domain verify a.example --target t.example',
    'dig a.example',
  ]);
});

test('leaves out dig with --mock, whose servers end with the command', async () => {
  expect(await commandsOf(STEPS, '--mock --connect ::1')).toEqual([
    'petstore --mock domain cert a.example --target t.example --connect ::1',
    'petstore --mock domain verify a.example --target t.example --until active --wait --connect ::1',
    'petstore --mock domain verify a.example --target t.example --connect ::1',
  ]);
});

test('removes a repeated command', async () => {
  const steps = [VERIFY_STEP, { ...VERIFY_STEP, noPublic: true }];
  expect(await commandsOf(steps, '--no-public')).toEqual([
    'petstore domain verify a.example --target t.example --no-public',
  ]);
});

test.each([
  ['', 1],
  ['--resolver ::1', 0],
  ['--doh https://d.example/q', 0],
])('suggests --no-public after %j: %i', async (flags, count) => {
  expect(await commandsOf([{ ...VERIFY_STEP, noPublic: true }], flags)).toHaveLength(count);
});

test.each([
  ['', '--timeout 60s'],
  ['--wait', '--wait'],
])('repeats a check that reached its time limit, after %j: %s', async (flags, words) => {
  expect(await commandsOf([{ ...VERIFY_STEP, timeoutMs: 60_000 }], flags)).toEqual([
    `petstore domain verify a.example --target t.example ${words}`,
  ]);
});

test('allows more time after a wait that timed out', async () => {
  expect(await commandsOf([{ ...VERIFY_STEP, wait: true }], '--wait --timeout 5s', '--timeout 1h')).toEqual([
    'petstore domain verify a.example --target t.example --wait --timeout 1h',
  ]);
});

test.each([
  ['plan.required', '--deployed'],
  ['deploy.required', '--plan pro'],
] as const)('leaves out the flag that %s refutes', async (id, kept) => {
  const finding = { id, axis: 'plan', severity: 'block', message: 'x', evidence: [] } as unknown as Finding;
  expect(await commandsOf([VERIFY_STEP], '--plan pro --deployed', undefined, [finding])).toEqual([
    `petstore domain verify a.example --target t.example ${kept}`,
  ]);
});

test('replaces dates at any depth by RFC 3339 texts in UTC', () => {
  const at = new Date('2026-11-21T15:00:00+01:00');
  expect(withTextTimes({ at, list: [{ at }, 'text', null, 1], none: undefined })).toEqual({
    at: '2026-11-21T14:00:00.000Z',
    list: [{ at: '2026-11-21T14:00:00.000Z' }, 'text', null, 1],
    none: undefined,
  });
});
