import { expect, test } from 'vitest';
import { showPlans } from '../../../../../src/cli/commands/domain/report/plan-text.js';
import { createPage } from '../../../../../src/cli/output/table/page.js';
import type { RecordPlan } from '../../../../../src/domain/index.js';
import { buildFinding } from '../report-builder.js';

const STYLE = { stdout: { isTTY: false, width: 80, colorLevel: 0 as const }, now: 0 };
const RECORD = {
  type: 'CNAME',
  name: 'shop.example',
  label: 'shop',
  value: 'cname.platform.test',
  ttl: 3600,
};

async function planText(plan: RecordPlan): Promise<string> {
  const page = await createPage(STYLE, plan);
  showPlans([plan], page);
  return page.toString();
}

function recommending(action: 'add' | 'change-ttl'): RecordPlan {
  const fix = { action: 'add', text: 'Fix it.', records: [RECORD] } as const;
  return {
    domain: { input: 'shop.example', ascii: 'shop.example', unicode: 'shop.example' },
    kind: 'subdomain',
    zone: 'example',
    decidedBy: 'zone-cut',
    expected: [RECORD],
    current: [],
    remove: [],
    todo: [],
    steps: [{ action, text: 'Fix it.', records: [RECORD] }],
    findings: [buildFinding({ axis: 'record', severity: 'warn', message: 'The wildcard matches.', fix })],
    visibleInSeconds: 300,
  };
}

test('does not say of a wildcard that the record exists', async () => {
  const text = await planText(recommending('add'));
  expect(text).toContain('  A change is recommended:\n  - The wildcard matches.\n');
  expect(text).not.toContain('exists already');
});

test('says that a record with another TTL exists', async () => {
  const text = await planText(recommending('change-ttl'));
  expect(text).toContain('  The record exists already. A change is recommended:\n');
});
