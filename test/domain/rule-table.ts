import { describe, expect, test } from 'vitest';
import { addProvider } from '../../src/domain/advice/find-provider.js';
import { printable } from '../../src/schema/control-characters.js';
import { diagnose } from '../../src/domain/diagnose/diagnose.js';
import type { Facts } from '../../src/domain/gather/facts/facts.js';
import type { Axis, Finding, FindingId } from '../../src/domain/report/finding.js';
import { expectSafePlan, planned } from './safe-plan.js';
import { buildApexFacts, buildFacts, type FactsOverrides } from './facts-builder.js';

/**
 * Facts that differ from those of a healthy subdomain. In a list, followed by parts of the messages and fixes, and by
 * whole commands of the evidence.
 */
type RuleCase = FactsOverrides | readonly [facts: FactsOverrides, ...says: string[]];

/** Axes without a command as evidence. */
const WITHOUT_COMMAND: ReadonlySet<Axis> = new Set<Axis>(['name', 'plan', 'deploy', 'redirect']);

const WORDS_MAX = 20;

/** The sentences with more than 20 words. */
export function longSentences(text: string): string[] {
  const sentences = text.split(/(?<=\S[.?!]["')]?)\s+/);
  return sentences.filter((sentence) => sentence.split(/\s+/).length > WORDS_MAX);
}

/** Expects a fix (except for info), evidence, and a command that shows it. */
export function expectComplete({ id, axis, severity, message, fix, evidence }: Finding): void {
  if (severity !== 'info') expect(fix?.text, `fix of ${id}`).toMatch(/^[A-Z].*[.?]$/s);
  if (fix !== undefined && fix.action !== 'other')
    expect([...fix.remove, ...fix.add], `records of ${id}`).not.toEqual([]);
  expect(longSentences(`${message} ${fix?.text ?? ''}`), `sentences of ${id}`).toEqual([]);
  expect(evidence, `evidence of ${id}`).not.toEqual([]);
  for (const { text } of evidence) expect(text, id).not.toBe('');
  if (WITHOUT_COMMAND.has(axis)) return;
  if (axis === 'certificate' && severity === 'unknown') return;
  const commands = evidence.flatMap(({ command }) => command ?? []);
  const program = axis === 'certificate' ? /^openssl s_client / : /^dig /;
  expect(commands, `command of ${id}`).toContainEqual(expect.stringMatching(program));
}

/**
 * Tests a rule with named facts, without the findings that others hide. Every finding must be complete, and healthy
 * domains must have no findings but `healthy`.
 *
 * @param cases By `NAME: FINDINGS`, where the findings are `nothing`, or `id severity` of each, in order.
 */
export function testRule(
  rule: (facts: Facts) => readonly Finding[],
  cases: Readonly<Record<string, RuleCase>>,
  healthy: readonly FindingId[] = [],
): void {
  const findingsOf = (facts: Facts): readonly Finding[] => {
    const shown = new Set(diagnose(facts).map(({ message }) => message));
    return rule(facts).filter(({ message }) => shown.has(printable(message)));
  };
  describe(rule.name, () => {
    for (const [name, given] of Object.entries(cases)) {
      const [overrides, ...says] = isList(given) ? given : [given];
      test(name, () => {
        const facts = addProvider(buildFacts(overrides));
        expectSafePlan(planned(facts));
        const findings = findingsOf(facts);
        expect(findings.map(({ id, severity }) => `${id} ${severity}`).join(', ') || 'nothing').toBe(
          name.split(': ').at(-1),
        );
        const text = findings.map(({ message, fix }) => `${message}\n${fix?.text ?? ''}`).join('\n');
        const commands = findings.flatMap(({ evidence }) => evidence.map(({ command }) => command));
        for (const words of says) expect(words.startsWith('dig ') ? commands : text).toContain(words);
        for (const finding of findings) expectComplete(finding);
      });
    }

    test('finds nothing wrong with healthy domains', () => {
      const found = [buildFacts(), buildApexFacts()].flatMap(findingsOf);
      expect(found.map(({ id }) => id)).toEqual(healthy);
    });
  });
}

function isList(given: RuleCase): given is readonly [FactsOverrides, ...string[]] {
  return Array.isArray(given);
}
