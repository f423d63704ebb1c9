import { expect, test } from 'vitest';
import { ownCommand, withOwnFlags } from '../../../../src/cli/commands/domain/next-commands.js';
import { buildReport } from './report-builder.js';

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
  expect(ownCommand(command, flags, mock)).toBe(own);
});

const NEXT = [
  { command: 'petstore domain cert a.example', when: 'now' },
  { command: 'petstore domain verify a.example --until active --wait', when: 'now' },
  { command: 'petstore domain verify a.example', when: 'now' },
  { command: 'dig a.example', when: 'now' },
];

test('the certificate is looked at with the target that was given', () => {
  const { next } = withOwnFlags(buildReport({ next: NEXT }), ASK, false);
  expect(next.map(({ command }) => command)).toEqual([
    'petstore domain cert a.example --target t.example',
    ...NEXT.slice(1).map(({ command }) => command),
  ]);
});

test('with --mock only what can be done with it is left', () => {
  const { next } = withOwnFlags(buildReport({ next: NEXT }), ASK, true);
  expect(next.map(({ command }) => command)).toEqual(['petstore --mock domain verify a.example']);
});
