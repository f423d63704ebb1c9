import type { Reporter, TestModule } from 'vitest/node';

/** The counts of a test run. */
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Names the tests that passed only when they were repeated. Ends a test run with one plain line, `N passed, N failed[, N skipped]`, for programs that read it. Started by
 * test/run.mjs it sends the counts there instead, so that the line is the last of all.
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
    const { passed, failed, skipped } = counts;
    process.stdout.write(
      `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}

function count(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): Counts {
  const counts: Counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
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
