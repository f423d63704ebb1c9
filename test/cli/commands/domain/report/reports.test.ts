import { expect, test } from 'vitest';
import { printReports } from '../../../../../src/cli/commands/domain/report/reports.js';
import { sessionFor } from '../../../../support/fake-session.js';
import { buildFinding, buildTextReport } from '../report-builder.js';

test('a pipe shows that no resolver confirmed a correct record', async () => {
  const report = buildTextReport({
    findings: [buildFinding({ id: 'prop.resolver-error', axis: 'propagation', severity: 'warn' })],
    observed: { authoritative: [], recursive: [{ resolver: '::1', response: 'SERVFAIL', records: [] }] },
  });
  const { session, stdout } = await sessionFor('domain verify a.example');
  await printReports([{ report, exitCode: 0 }], session);
  expect(stdout()).toBe(
    'a.example\tsubdomain\tverified\tNo resolver confirmed it, so visitors may not reach the domain.\n',
  );
});
