import { describe, expect, test } from 'vitest';
import { rightText } from '../../../../src/cli/commands/domain/report/plan-text.js';
import type { RenderedReport } from '../../../../src/cli/commands/domain/report/next-commands.js';
import { type RecordPlan, todoLines } from '../../../../src/domain/index.js';
import { BUILT_IN_NAMES } from '../../../../src/mock/index.js';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const LINE = '--mock domain records';

test('shortens a long value in a warning, and prints it whole in JSON', async () => {
  const { stderr } = await runFake(`${LINE} large.example.test`);
  expect(stderr.length).toBeLessThan(400);
  const { stdout } = await runFake(`${LINE} large.example.test --json`);
  expect(JSON.parse(stdout).remove[0].value.length).toBeGreaterThan(1_000);
});

test('prints a list of several domains, also if only one name is valid', async () => {
  const { stdout } = await runFake(`${LINE} shop.example.test co.uk --json domains`);
  expect(JSON.parse(stdout)).toMatchObject({ domains: [{ domain: { ascii: 'shop.example.test' } }] });
});

test.each([
  ['shop.dnssec.test', 'after at most 1 day'],
  ['shop.split.test', 'after at most 15 min'],
  ['any.wild.example.test', 'Visible at once.'],
])('says when a change at another place is visible: %s: %s', async (name, words) => {
  const { stdout } = await runFake(`${LINE} ${name}`, { terminals: ['stdout'], env: { NO_COLOR: '1' } });
  expect(stdout).toContain(words);
});

test('the advice of no built-in name contradicts itself', { timeout: 60_000 }, async () => {
  const names = BUILT_IN_NAMES.map(({ name }) => name);
  const documentOf = async (verb: string) =>
    JSON.parse((await runFake(`--mock domain ${verb} ${names.join(' ')} --json`)).stdout);
  const plans: { domains: RecordPlan[] } = await documentOf('records');
  const reports: { domains: RenderedReport[] } = await documentOf('verify');
  for (const plan of plans.domains) {
    if (rightText(plan) === undefined) continue;
    expect(
      plan.todo.filter(({ record }) => record.name === plan.domain.ascii && record.type !== 'CAA'),
    ).toEqual([]);
    expect(plan.findings.filter(({ axis, severity }) => axis === 'record' && severity === 'block')).toEqual(
      [],
    );
  }
  for (const report of reports.domains) {
    const [first] = todoLines(report);
    expect(first?.text ?? '', report.domain.ascii).not.toMatch(
      /\b(?:this|these) servers?\b|a moment ago|^Or /,
    );
    // A page leaves the change out, so that no hint may continue it.
    for (const { fix } of report.findings)
      if (fix?.parts.some(({ kind }) => kind === 'change') === true)
        expect(fix.parts.filter(({ kind, text }) => kind === 'note' && text.startsWith('Or '))).toEqual([]);
  }
});

describe('on a terminal', () => {
  test('keeps lines within 80 columns', async () => {
    const names = 'xn--9ckk6c.example.test shop.example.test empty.test shop.silent.test wrong.example.test';
    const { stdout } = await runFake(`${LINE} ${names}`, { terminals: ['stdout'], env: { NO_COLOR: '1' } });
    expect(stdout).toContain('ペット.example.test (xn--9ckk6c.example.test)');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }, 30_000);
});

test.each(['records', 'verify'])(
  '--mock domain %s uses the domains in .test of the project file',
  async (verb) => {
    const currentDirectory = temporaryFolder({
      'petstore.config.json': '{ "domains": ["shop.example.com", "shop.example.test"] }',
    });
    const { stdout } = await runFake(`--mock domain ${verb} --json`, { currentDirectory });
    expect(JSON.parse(stdout)).toMatchObject({ domain: { ascii: 'shop.example.test' } });
  },
);
