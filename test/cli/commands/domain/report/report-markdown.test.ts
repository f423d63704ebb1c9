import { describe, expect, test } from 'vitest';
import { reportMarkdown } from '../../../../../src/cli/commands/domain/report/report-markdown.js';
import { runFake } from '../../../../support/fake-context.js';
import { buildFinding, buildTextReport } from '../report-builder.js';

test('a page has the verdict, the steps, the record in a code block and the evidence', async () => {
  const { stdout, exitCode } = await runFake('--mock domain verify blocked.example.test -o markdown');
  expect(exitCode).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "# Edit at the DNS provider of ns1.example.test (listed at your registrar): replace the A and AAAA "blocked" of example.test with this CNAME

    \`\`\`
    Type:  CNAME
    Name:  blocked   (blocked.example.test)
    Value: cname.platform.test
    TTL:   3600
    \`\`\`

    ## blocked.example.test: action required

    DNS needs a change. Waiting will not help.

    ## Reasons

    1. blocked.example.test has A 198.51.100.9 and AAAA 2001:db8:bad::9 instead of the CNAME. (\`conflict.address\`)

       Replace A 198.51.100.9 and AAAA 2001:db8:bad::9 with CNAME blocked -> cname.platform.test, TTL 3600.

    ## Evidence

    \`\`\`
    ns1.example.test (127.0.0.1): A 198.51.100.9, TTL 3600
    ns1.example.test (127.0.0.1): AAAA 2001:db8:bad::9, TTL 3600
    ns2.example.test (127.0.0.2): A 198.51.100.9, TTL 3600
    ns2.example.test (127.0.0.2): AAAA 2001:db8:bad::9, TTL 3600
    \`\`\`

    ## Check again

    Watch until the record is visible:

    \`\`\`
    petstore --mock domain verify blocked.example.test --target cname.platform.test --wait
    \`\`\`
    "
  `);
});

test('several domains have a page each, in every environment', async () => {
  const line = '--mock domain verify shop.example.test missing.example.test -o markdown';
  const { stdout } = await runFake(line, { env: { PETSTORE_OUTPUT: 'ndjson' } });
  expect(stdout.match(/^# .*/gm)).toEqual([
    '# shop.example.test: verified',
    expect.stringMatching(/^# Add at the DNS provider of ns1.*: the CNAME "missing" of example\.test$/),
  ]);
});

test.each(['--fields state', '--query state', '--json'])("%s can't be combined with it", async (flag) => {
  const { exitCode, stderr } = await runFake(`--mock domain verify shop.example.test -o markdown ${flag}`);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/(?:can't be combined with -o|and --output) markdown/);
});

describe('text from outside', () => {
  const page = (text: string): string =>
    reportMarkdown(
      buildTextReport({
        state: 'action-required',
        expected: [{ type: 'CNAME', name: text, label: text, value: text, ttl: 60 }],
        todo: [{ at: text, action: 'remove', record: { type: 'TXT', name: text, label: 'a', value: text } }],
        findings: [
          buildFinding({
            severity: 'block',
            message: text,
            fix: { action: 'remove', text, records: [{ type: 'TXT', name: text, label: 'a', value: text }] },
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
  const text = reportMarkdown(buildTextReport({ expected: [] }));
  expect(text).toBe('# a.example: verified\n\nCorrect at every name server.\n');
});

test('times are in UTC', () => {
  const latest = new Date('2026-11-21T14:32:10Z');
  const report = buildTextReport({
    state: 'propagating',
    estimate: { latest, inSeconds: 60, perResolver: [] },
  });
  expect(reportMarkdown(report)).toContain('\nVisible by 2026-11-21 14:33 UTC at the latest.\n');
});
