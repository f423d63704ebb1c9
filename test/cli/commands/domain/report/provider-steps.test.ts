import { fixOf } from '../../../../../src/domain/advice/words.js';
import { describe, expect, test } from 'vitest';
import { buildFinding, buildTextReport, markdownText, reportsText } from '../report-builder.js';

const STYLE = { stdout: { isTTY: false, width: 80, colorLevel: 0 as const }, now: 0 };
const SOURCES = ['https://dns.example/help'];
const DNS = {
  name: 'Example DNS',
  sources: SOURCES,
  date: '2026-11-22',
  steps: ['Open DNS > Add record.', 'Type: CNAME', 'Host: shop'],
  besideRecord: ['Open DNS > Add record.'],
};

describe('a report of a wrong record', () => {
  const record = { type: 'CNAME', name: 'shop.a.example', label: 'shop', value: 'cname.example', ttl: 3600 };
  const fix = fixOf({ action: 'add', step: 'Add it.', add: [record] });
  const findings = [buildFinding({ id: 'record.missing', severity: 'block', message: 'No record.', fix })];
  const todo = [{ at: 'Example DNS', action: 'add', record }] as const;
  const report = buildTextReport({ state: 'action-required', findings, todo, provider: { dns: DNS } });

  test('has the way to the form, because the record is above', async () => {
    const text = await reportsText([report], { ...STYLE, verbose: false });
    expect(text).toContain(
      [
        'Add at Example DNS: the CNAME "shop" of a.example',
        '  TYPE   NAME  VALUE           TTL',
        '  CNAME  shop  cname.example  3600',
        '  In the panel of Example DNS (as of 2026-11-22): Open DNS > Add record.',
        '',
      ].join('\n'),
    );
  });

  test('has the steps in the words of the panel with -v', async () => {
    const text = await reportsText([report], { ...STYLE, verbose: true });
    expect(text).toContain(
      [
        '  In the panel of Example DNS (as of 2026-11-22):',
        '    Open DNS > Add record.',
        '    Type: CNAME',
        '    Host: shop',
      ].join('\n'),
    );
  });

  test('has them in Markdown too', () => {
    expect(markdownText(report)).toContain(
      '## In the panel of Example DNS (as of 2026-11-22)\n\n1. Open DNS > Add record.\n2. Type: CNAME\n3. Host: shop\n',
    );
  });

  test('names a CDN', async () => {
    const service = { name: 'Example', sources: SOURCES, date: '2022-10-24' };
    const provider = { cdn: { ...service, name: 'Edge' } };
    const other = buildTextReport({ state: 'action-required', findings, provider });
    for (const text of [await reportsText([other], { ...STYLE, verbose: false }), markdownText(other)]) {
      expect(text).toContain('The domain leads to Edge, a CDN or proxy.');
      expect(text).not.toContain('In the panel of');
    }
  });

  test('shows the sources with -v', async () => {
    expect(await reportsText([report], { ...STYLE, verbose: true })).toContain(
      'Services\n  DNS provider: Example DNS (list of 2026-11-22)\n    https://dns.example/help\n',
    );
  });
});

test('a report without a wrong record has no steps', async () => {
  const report = buildTextReport({ findings: [buildFinding()], provider: { dns: DNS } });
  expect(await reportsText([report], { ...STYLE, verbose: false })).not.toContain('In the panel of');
  expect(markdownText(report)).not.toContain('In the panel of');
});
