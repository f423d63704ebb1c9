import { fixOf } from '../../../../../src/domain/advice/words.js';
import { expect, test } from 'vitest';
import { rightText, showPlans } from '../../../../../src/cli/commands/domain/report/plan-text.js';
import { createPage } from '../../../../../src/cli/output/table/page.js';
import type { RecordPlan, Todo } from '../../../../../src/domain/index.js';
import { buildFinding } from '../report-builder.js';

const STYLE = { stdout: { isTTY: false, width: 80, colorLevel: 0 as const }, now: 0 };
const RECORD = {
  type: 'CNAME',
  name: 'shop.example',
  label: 'shop',
  value: 'cname.platform.test',
  ttl: 3600,
};

const CAA_ROW = {
  at: 'your DNS provider',
  action: 'add',
  record: { ...RECORD, type: 'CAA', value: '0 issue "a.example"' },
} as const;

async function planText(plan: RecordPlan): Promise<string> {
  const page = await createPage(STYLE, plan);
  showPlans([plan], page);
  return page.toString();
}

function recommending(action: Todo['action']): RecordPlan {
  const fix = fixOf({ action: 'add', step: 'Fix it.', add: [RECORD] });
  return {
    domain: { input: 'shop.example', ascii: 'shop.example', unicode: 'shop.example' },
    kind: 'subdomain',
    zone: 'example',
    decidedBy: 'zone-cut',
    expected: [RECORD],
    current: action === 'add' ? [] : [{ ...RECORD, ttl: 5 }],
    remove: [],
    todo: [{ at: 'your DNS provider', action, record: RECORD }],
    findings: [buildFinding({ axis: 'record', severity: 'warn', message: 'The wildcard matches.', fix })],
    keepsOldServer: false,
    visibleInSeconds: action === 'add' ? 300 : 0,
  };
}

test('does not say of a wildcard that the record exists', async () => {
  const text = await planText(recommending('add'));
  expect(text).toContain('Add at your DNS provider: the CNAME "shop" of example\n');
  expect(text).toContain('  - The wildcard matches. [');
  expect(text).not.toContain('exists already');
});

test.each([
  ['a record of the name is to be edited', {}, undefined],
  ['a finding doubts the record', { todo: [] }, undefined],
  ['only a CAA record is to be added', { findings: [], todo: [CAA_ROW] }, 'The CNAME record exists already.'],
  ['nothing is advised', { findings: [], todo: [] }, 'The record exists already.'],
])('says that the record exists, if %s: %j', (_, parts, text) => {
  expect(rightText({ ...recommending('edit'), ...parts })).toBe(text);
});

test.each([
  [true, 'Keep the old server running: visitors may get it for 5 min after the change.'],
  [false, 'Visible everywhere at most 5 min after the change.'],
])('an old server: %s: %s', async (keepsOldServer, text) => {
  const old = { type: 'CNAME', name: 'shop.example', label: 'shop', value: 'old.example' };
  const plan = { ...recommending('edit'), remove: [old], keepsOldServer, visibleInSeconds: 300 };
  expect(await planText(plan)).toContain(text);
});

test('says which TTL to lower first, and when to make the change', async () => {
  const old = { ...RECORD, value: 'old.example', ttl: 86_400 };
  const lowerTtl = { records: [{ ...old, ttl: 300 }], notBefore: new Date(0) };
  const plan = { ...recommending('edit'), current: [old], lowerTtl };
  // Whoever edits the records may do so hours after the check.
  expect((await planText(plan)).replaceAll(/\s+/g, ' ')).toContain(
    'First lower the TTL of CNAME old.example to 300, or to the lowest choice. Make the change 1 day after that or later',
  );
});
