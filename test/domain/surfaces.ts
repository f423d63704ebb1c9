import { expect } from 'vitest';
import { planRecords } from '../../src/domain/run/checks.js';
import type { RecordFields } from '../../src/domain/report/finding.js';
import type { Report } from '../../src/domain/report/report.js';
import type { CheckOptions } from '../../src/domain/request/options.js';
import { watchDomain } from '../../src/domain/run/watch-domains.js';
import { markdownText, rendered } from '../cli/commands/domain/report-builder.js';
import { until } from '../support/virtual-clock.js';
import type { World } from './fake-dns.js';
import { TARGET, zoneLab } from './world.js';

const key = ({ type, name, value }: RecordFields): string => `${type} ${name} ${value}`;
const gist = ({ state, findings, todo, estimate }: Report): unknown => [
  state,
  findings.map(({ id, severity }) => `${id} ${severity}`),
  todo,
  // A later check sees a shorter TTL: to ten seconds.
  estimate && Math.floor(estimate.latest.getTime() / 10_000),
];

/** Checks the shop, and expects that all surfaces say the same. */
export async function checkWithSurfaces(
  world: World | readonly string[],
  options: CheckOptions = {},
  target = TARGET,
): Promise<Report> {
  const report = await zoneLab(world, options).check({ target });
  await expectSameSurfaces(report, zoneLab(world, options), target);
  return report;
}

/** Expects that `domain records`, `--wait`, JSON and Markdown say the same about these servers as a report of them. */
export async function expectSameSurfaces(
  report: Report,
  { clock, options, settled }: ReturnType<typeof zoneLab>,
  target: string,
): Promise<void> {
  const request = { domain: report.domain.ascii, target, plan: 'Pro', deployed: true };
  const blocks = report.findings.filter(({ severity }) => severity === 'block');
  const { value: planned } = await settled(planRecords([request], options).next());
  if (planned?.ok !== true) throw new Error('no plan');
  const { plan } = planned;
  const expected = new Set([...plan.expected, ...report.expected].map(key));
  const kept = [...plan.remove, ...plan.todo.flatMap(({ replaces = [] }) => replaces)];
  expect(kept.filter((one) => expected.has(key(one)))).toEqual([]);
  expect(plan.todo).toEqual(expect.arrayContaining([...report.todo]));
  const ofRecords = blocks.filter(({ axis }) => axis === 'record' || axis === 'zone');
  expect(plan.findings.map(({ id }) => id)).toEqual(expect.arrayContaining(ofRecords.map(({ id }) => id)));

  const json = rendered(report);
  expect(JSON.parse(JSON.stringify(json))).toMatchObject({ state: report.state, todo: report.todo });
  const page = markdownText(json);
  for (const { id } of blocks) expect(page).toContain(`\`${id}\``);
  if (report.estimate === null) expect(page).not.toMatch(/at most|at the latest/);

  const watch = watchDomain(request, options);
  let isOver = false;
  const next = watch.next().finally(() => (isOver = true));
  // Advances the pause before a repeated query, and not the deadlines.
  while (!isOver) {
    await until(() => isOver || (clock.pendingDelays[0] ?? Infinity) < 2_000);
    if (!isOver) await clock.next();
  }
  const { value: first } = await next;
  expect(gist(first.report)).toEqual(gist(report));
  await watch.return({ end: 'timeout', report });
}
