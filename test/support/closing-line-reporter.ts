import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line, `N passed, N failed[, N skipped]`, for readers that know no test runner. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      let tests = 0;
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        tests += 1;
      }
      // A module that failed to load has no tests, and would vanish from the count.
      if (tests === 0 && module.state() === 'failed') count.failed += 1;
    }
    const skipped = count.skipped + count.pending;
    process.stdout.write(
      `\n${String(count.passed)} passed, ${String(count.failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ''}\n`,
    );
  }
}
