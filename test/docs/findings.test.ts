import { join } from 'node:path';
import ts from 'typescript';
import { expect, test, vi } from 'vitest';
import { certificateFindings } from '../../src/domain/probe/certificate-findings.js';
import type { Facts } from '../../src/domain/gather/facts/facts.js';
import type { Finding, Severity } from '../../src/domain/report/finding.js';
import { parseDomainName } from '../../src/domain/request/parse-domain-name.js';
import { platformFindings } from '../../src/domain/probe/platform-report.js';
import { addProvider } from '../../src/domain/advice/find-provider.js';
import { redirectFindings } from '../../src/domain/probe/redirect-findings.js';
import { BUILT_IN_NAMES } from '../../src/mock/index.js';
import * as built from '../domain/certificate-builder.js';
import { buildFacts, type FactsOverrides } from '../domain/facts-builder.js';
import { NOW, SHOP, TARGET } from '../domain/loopback-servers.js';
import { FROM, PATH, redirect, redirectFacts, TO } from '../domain/redirect-builder.js';
import { createSourceProgram } from '../support/source-program.js';
import { filesBelow, readSource, ROOT } from '../support/source-tree.js';
import { code, expectCurrentBlocks } from './generated-page.js';

type Rule = (facts: Facts) => readonly Finding[];
type Case = readonly [name: string, rule: Rule, overrides: FactsOverrides];

/** The cases of the rules, from their tests. */
const cases = vi.hoisted((): Case[] => []);
vi.mock('../domain/rule-table.js', async (original) => ({
  ...(await original<object>()),
  testRule(rule: Rule, table: Readonly<Record<string, FactsOverrides | readonly FactsOverrides[]>>): void {
    for (const [name, given] of Object.entries(table))
      cases.push([name, rule, (Array.isArray(given) ? given[0] : given) as FactsOverrides]);
  },
}));

const tests = filesBelow('test/domain').filter((path) => path.endsWith('.test.ts'));
// This also registers the other tests of these files. They take some milliseconds.
for (const path of tests.filter((each) => readSource(each).includes('testRule(')))
  await import(join(ROOT, path));

/** Entities of which no rule has a case. */
const PROBED: readonly Finding[] = [
  ...['my_shop.example.com', '192.0.2.1', 'co.uk', '*.example.com'].flatMap((input) => {
    const parsed = parseDomainName(input);
    return parsed.ok ? [] : [parsed.finding];
  }),
  ...certificates([built.right]),
  ...certificates([built.closed], 5),
  ...certificates([built.closed], 45),
  ...[built.strangers, built.selfSigned, built.expired].flatMap((served) => certificates([served])),
  ...certificates([built.buildCertificate({ validTo: NOW + 3 * built.DAY_MS })]),
  ...certificates([built.right, built.strangers]),
  ...['AA:01', 'BB:02', undefined].flatMap(platform),
  ...redirectFindings(redirectFacts({})),
  ...redirectFindings(redirectFacts({ response: redirect(undefined, 200) })),
  ...redirectFindings(redirectFacts({ response: redirect(`https://${TO}${PATH}`, 302) })),
  ...redirectFindings(redirectFacts({ response: redirect(`https://www.elsewhere.test${PATH}`) })),
  ...redirectFindings(redirectFacts({ response: redirect(`http://${TO}/`) })),
  ...redirectFindings(redirectFacts({ response: redirect(`https://${FROM}${PATH}`) })),
  ...redirectFindings(redirectFacts({ certificate: built.strangers })),
  ...unreachable(),
];
const conditions = new Map<string, { idCount: number; texts: string[] }>();
// The docstrings that name the fewest ids are about an id. Several rules can return it.
for (const { ids, condition } of filesBelow('src/domain').flatMap(conditionsOf)) {
  for (const id of ids) {
    const known = conditions.get(id);
    if (known?.idCount === ids.length) known.texts.push(condition);
    else if (known === undefined || known.idCount > ids.length)
      conditions.set(id, { idCount: ids.length, texts: [condition] });
  }
}
const testTexts = tests.map(readSource).join('\n');

/** `npx vitest run test/docs/findings.test.ts --update` writes the page. */
test('docs/findings.md has every finding, from the rules and their tests', async () => {
  const ids = findingIds();
  expect(ids.filter((id) => exampleOf(id) === undefined)).toEqual([]);
  expect(ids.filter((id) => !conditions.has(id))).toEqual([]);
  await expectCurrentBlocks('docs/findings.md', () => ids.map(section).join('\n\n'));
});

function section(id: string): string {
  const { message, fix, evidence } = exampleOf(id)!;
  const command = evidence.find((each) => each.command !== undefined)?.command;
  const shown = BUILT_IN_NAMES.find(({ shows }) => shows.split(', ')[0] === id);
  const lines = [
    `- Severity: ${severitiesOf(id).map(code).join(', ')}`,
    `- Example: ${escaped(message)}`,
    ...(fix === undefined ? [] : [`- Fix: ${escaped(fix.text)}`]),
    ...(command === undefined ? [] : [`- Shown by ${code(command)}`]),
    ...(shown === undefined ? [] : [`- In the mock: ${code(shown.name)} (${escaped(shown.because)})`]),
  ];
  return `### ${id}\n\n${conditions.get(id)!.texts.join(' ')}\n\n${lines.join('\n')}`;
}

/** The finding of the first case, preferably of one that has no other. */
function exampleOf(id: string): Finding | undefined {
  const found = cases.filter(([name]) => name.includes(`${id} `));
  const alone = found.filter(([name]) => name.split(': ').at(-1)?.startsWith(`${id} `));
  const ofRules = [...alone, ...found].flatMap(([, rule, overrides]) =>
    rule(addProvider(buildFacts(overrides))),
  );
  return [...ofRules, ...PROBED].find((finding) => finding.id === id);
}

const SEVERITIES = ['block', 'wait', 'unknown', 'warn', 'info'] as const satisfies Severity[];

/** The severities that the tests expect. */
function severitiesOf(id: string): Severity[] {
  return SEVERITIES.filter(
    (severity) => testTexts.includes(`${id} ${severity}`) || exampleOf(id)?.severity === severity,
  );
}

/** The conditions in the docstrings of a file: `id`, `id`: condition, alone or as items of a list. */
function conditionsOf(path: string): { ids: string[]; condition: string }[] {
  const comments = [...readSource(path).matchAll(/\/\*\*(.*?)\*\//gs)].map(([, text = '']) =>
    text.replaceAll(/^ *\* ?/gm, ''),
  );
  const items = comments.flatMap((text) => text.split(/\n\n|\n(?=- )/));
  return items.flatMap((item) => {
    const text = item.replaceAll(/\s+/g, ' ').trim();
    const [, ids = '', first = '', rest = ''] =
      /^(?:- )?((?:`[a-z]+\.[a-z\d-]+`(?:, )?)+): (.)(.*)$/.exec(text) ?? [];
    if (ids === '') return [];
    return [{ ids: ids.replaceAll('`', '').split(', '), condition: first.toUpperCase() + rest }];
  });
}

/** All ids, in the order of their type. */
function findingIds(): string[] {
  const file = 'src/domain/report/finding.ts';
  const program = createSourceProgram([file]);
  const declaration = program
    .getSourceFile(join(ROOT, file))!
    .statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === 'FindingId')!;
  const type = program.getTypeChecker().getTypeAtLocation(declaration) as ts.UnionType;
  const text = declaration.getText();
  const positionOf = ([prefix = '', suffix = '']: string[]): number =>
    text.indexOf(suffix, text.search(new RegExp(`[\`']${prefix}\\.`)));
  return type.types
    .map((member) => (member as ts.StringLiteralType).value)
    .toSorted((one, other) => positionOf(one.split('.')) - positionOf(other.split('.')));
}

function certificates(
  results: Parameters<typeof built.buildCertificateFacts>[0],
  minutesAgo?: number,
): Finding[] {
  return certificateFindings(built.buildCertificateFacts(results, minutesAgo));
}

/** The finding of a probe that got this certificate from the domain, or no response. */
function platform(fingerprint: string | undefined): Finding[] {
  const target = {
    address: '192.0.2.80',
    response: { kind: 'response' as const, status: 200 },
    subject: TARGET,
    headers: new Map<string, string>(),
  };
  return platformFindings({
    domain: SHOP,
    target: TARGET,
    port: 443,
    ofDomain: [
      fingerprint === undefined ? { ...target, response: built.silent } : { ...target, fingerprint },
    ],
    ofTarget: [{ ...target, fingerprint: 'AA:01' }],
  });
}

function unreachable(): Finding[] {
  const right = redirectFacts({});
  const last = { url: `https://${TO}${PATH}`, response: redirect(undefined, 503), certificate: built.right };
  return redirectFindings({
    ...right,
    walks: right.walks.map((walk) => ({ ...walk, hops: [...walk.hops, last] })),
  });
}

/** Markdown would read these as markup. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<[\]]/g, '\\$&');
}
