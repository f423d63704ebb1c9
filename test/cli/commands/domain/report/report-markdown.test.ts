import { fixOf } from '../../../../../src/domain/advice/words.js';
import { describe, expect, test } from 'vitest';
import { buildFinding, buildTextReport, markdownText } from '../report-builder.js';

describe('text from outside', () => {
  const page = (text: string): string =>
    markdownText(
      buildTextReport({
        state: 'action-required',
        expected: [{ type: 'CNAME', name: text, label: text, value: text, ttl: 60 }],
        todo: [{ at: text, action: 'remove', record: { type: 'TXT', name: text, label: 'a', value: text } }],
        findings: [
          buildFinding({
            severity: 'block',
            message: text,
            fix: fixOf({
              action: 'remove',
              step: text,
              remove: [{ type: 'TXT', name: text, label: 'a', value: text }],
            }),
            evidence: [{ text, command: `dig ${text}` }],
          }),
        ],
      }),
    );

  test.each([
    ['```\n# not a heading', '````'],
    ['a ```` b', '`````'],
    ['~~~\n~~~', '```'],
  ])('%j does not end a code block', (text, fence) => {
    const lines = page(text).split('\n');
    const fences = lines.filter((line) => /^`{3,}$/.test(line));
    expect(fences).toHaveLength(4);
    expect(new Set(fences)).toEqual(new Set([fence]));
    expect(lines).not.toContain('# not a heading');
  });

  test.each([
    ['<img src=x onerror=alert(1)>', String.raw`1. \<img src=x onerror=alert(1)>`],
    ['[click](https://evil.example)', String.raw`1. \[click\](https:\/\/evil.example)`],
    ['see www.evil.example', String.raw`1. see www\.evil.example`],
    ['**bold** _x_ `code` ~~y~~ &amp; a|b', String.raw`1. \*\*bold\*\* \_x\_ \`code\` \~\~y\~\~ \&amp; a\|b`],
    ['> quote', String.raw`1. \> quote`],
    ['- item', String.raw`1. \- item`],
    ['2. item', String.raw`1. 2\. item`],
    ['# heading', String.raw`1. \# heading`],
    ['back\\slash', String.raw`1. back\\slash`],
  ])('%j is not markup', (text, line) => {
    expect(page(text)).toContain(`\n${line} (\`record.ok\`)\n`);
  });

  test('line breaks and control characters do not start a line', () => {
    const text = 'a\n# b\r\u2028> c\u001b[31m';
    const lines = page(text).split('\n');
    expect(lines.filter((line) => /^(# b|> c)/.test(line))).toEqual([]);
    expect(page(text)).not.toMatch(/[\r\u2028\u001b]/);
  });
});

test('a report without evidence and commands has no empty sections', () => {
  const text = markdownText(buildTextReport({ expected: [] }));
  expect(text).toBe('# a.example: verified\n\nCorrect at every name server.\n');
});

test('times are in UTC', () => {
  const latest = new Date('2026-11-21T14:32:10Z');
  const report = buildTextReport({
    state: 'propagating',
    estimate: { latest, inSeconds: 60, perResolver: [] },
  });
  expect(markdownText(report)).toContain('\nVisible by 2026-11-21 14:33 UTC at the latest.\n');
});
