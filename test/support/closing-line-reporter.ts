import { readFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** The counts of a test run. */
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** One line for each suite or test that was skipped as a whole, with its reason. */
  skips: string[];
}

/**
 * Names the tests that passed only when they were repeated, and those that were skipped. Ends a test run with one plain
 * line, `N passed, N failed[, N skipped]`, for programs that read it. Started by test/run.mjs it sends all of that there
 * instead, so that the line is the last of all.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const flaky = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.diagnostic()?.flaky);
    for (const { module, fullName } of flaky)
      process.stdout.write(`flaky: ${module.relativeModuleId} > ${fullName}\n`);
    const counts = count(modules, unhandledErrors);
    if (process.send !== undefined) {
      process.send(counts);
      return;
    }
    const { passed, failed, skipped, skips } = counts;
    process.stdout.write(
      `\n${skips.join('')}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}

function count(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): Counts {
  const counts: Counts = {
    passed: 0,
    failed: unhandledErrors.length,
    skipped: 0,
    skips: modules.flatMap((module) => [...module.children].flatMap(skipsOf)),
  };
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'skipped' : state] += 1;
      if (state === 'failed') failedHere += 1;
    }
    // A module that fails to load and a hook that fails belong to no test. Count them as one failed test.
    if (failedHere === 0 && module.state() === 'failed') counts.failed += 1;
  }
  return counts;
}

/** The largest skipped parts of a suite. A filter of the command line (`-t`) is no reason to list. */
function skipsOf(part: TestSuite | TestCase): string[] {
  const tests = part.type === 'test' ? [part] : [...part.children.allTests()];
  const isSkipped = tests.length > 0 && tests.every((test) => test.result().state === 'skipped');
  if (!isSkipped) return part.type === 'test' ? [] : [...part.children].flatMap(skipsOf);
  const reason = reasonOf(part);
  if (reason === undefined) return [];
  const number = tests.length === 1 ? '' : ` (${tests.length} tests)`;
  return [`skipped: ${part.module.relativeModuleId} > ${part.fullName}${number}${reason}\n`];
}

/** The note of `context.skip`, or the condition in the source. Empty if the name says it: `(skipped: …)`. */
function reasonOf(part: TestSuite | TestCase): string | undefined {
  const result = part.type === 'test' ? part.result() : undefined;
  const note = result?.state === 'skipped' ? result.note : undefined;
  if (note !== undefined) return `: ${note}`;
  if (/\(skipped|\(needs|is set\)|not installed/.test(part.fullName)) return '';
  const lines = readFileSync(part.module.moduleId, 'utf8').split('\n');
  const before = lines.slice(0, part.location?.line).join('\n');
  const condition = [...before.matchAll(/\.(skipIf|runIf)\((.*?)\)(?=[(.\n])/g)].at(-1);
  return condition === undefined ? undefined : `: ${condition[1]} ${condition[2]}`;
}
