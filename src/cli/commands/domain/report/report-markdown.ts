import { type RecordFields, type Severity, type TodoLine, todoLines } from '../../../../domain/index.js';
import { toTerminalLine } from '../../../output/index.js';
import { fullMinute } from '../../../output/text/local-time.js';
import type { RenderedReport } from './next-commands.js';
import { shownName } from '../input/names.js';
import { evidenceOf } from './findings.js';
import { SECTIONS, verifyCommand } from './report-text.js';
import { cdnSentence, panelTitle, stateSentence, stateWords } from './state-words.js';

/**
 * Formats a report as a Markdown page for the person who manages the DNS: verdict, steps, record, evidence. Times are in
 * UTC, because that person may be in another time zone.
 */
export function reportMarkdown(report: RenderedReport): string {
  const { domain, expected, estimate, zone } = report;
  const lines = todoLines(report);
  const verdict = `${escaped(shownName(domain))}: ${stateWords(report.state).words}`;
  const parts = [
    ...(lines.length === 0 ? [`# ${verdict}`] : [...lines.flatMap(todoParts), `## ${verdict}`]),
    escaped(stateSentence(report)),
    ...(estimate === null ? [] : [`Visible by ${utc(estimate.latest)} at the latest.`]),
    ...section(report, 'block', 'Reasons'),
    ...(expected.length === 0 || lines.length > 0
      ? []
      : [`## Record in the zone ${escaped(zone)}`, recordBlock(expected)]),
    ...panelSection(report),
    ...SECTIONS.filter(({ severity }) => severity !== 'block' && severity !== 'info').flatMap(
      ({ severity, title }) => section(report, severity, title),
    ),
    ...evidence(report),
    ...next(report),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section({ findings }: RenderedReport, severity: Severity, title: string): string[] {
  const own = findings.filter((finding) => finding.severity === severity);
  if (own.length === 0) return [];
  const items = own.map(({ message, fix, id }, index) => {
    const bullet = severity === 'block' ? `${String(index + 1)}. ` : '- ';
    const indent = ' '.repeat(bullet.length);
    const advice = fix === undefined ? '' : `\n\n${indent}${escaped(fix.text)}`;
    return `${bullet}${escaped(message)} (${codeSpan(id)})${advice}`;
  });
  return [`## ${title}`, items.join('\n\n')];
}

/** How to set the record in the panel of the DNS provider. Only if the record needs a change. */
function panelSection({ provider, findings }: RenderedReport): string[] {
  if (!findings.some(({ axis, severity }) => axis === 'record' && severity === 'block')) return [];
  const { cdn, dns } = provider ?? {};
  const steps = dns?.steps ?? [];
  return [
    ...(cdn === undefined ? [] : [escaped(cdnSentence(cdn))]),
    ...(dns === undefined || steps.length === 0
      ? []
      : [
          `## ${escaped(panelTitle(dns))}`,
          steps.map((step, index) => `${String(index + 1)}. ${escaped(step)}`).join('\n'),
        ]),
  ];
}

/** Where to change what, and the records to paste. */
function todoParts({ text, records }: TodoLine, index: number): string[] {
  return [
    index === 0 ? `# ${escaped(text)}` : escaped(text),
    ...(records.length === 0 ? [] : [recordBlock(records)]),
  ];
}

/** Records as the fields of a provider's form. Removes duplicates. */
function recordBlock(records: readonly RecordFields[]): string {
  const texts = records.map(({ type, name, label, value, ttl }) =>
    [
      `Type:  ${type}`,
      `Name:  ${label}${label === name ? '' : `   (${name})`}`,
      `Value: ${value}`,
      ...(ttl === undefined ? [] : [`TTL:   ${String(ttl)}`]),
    ].map(toTerminalLine),
  );
  const distinct = [...new Set(texts.map((lines) => lines.join('\n')))];
  return codeBlock(distinct.join('\n\n').split('\n'));
}

function evidence({ findings }: RenderedReport): string[] {
  const lines = evidenceOf(findings).map(({ text, command }) =>
    [...(command === undefined ? [] : [`$ ${command}`]), text].map(toTerminalLine).join('\n'),
  );
  return lines.length === 0 ? [] : ['## Evidence', codeBlock(lines)];
}

function next(report: RenderedReport): string[] {
  const again = verifyCommand(report);
  if (again === undefined) return [];
  return ['## Check again', `${escaped(again.when)}:`, codeBlock([toTerminalLine(again.command)])];
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

function utc(time: string): string {
  return `${new Date(fullMinute(Date.parse(time))).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A fence longer than every run of backticks in the text: no line can end the block (CommonMark, section 4.5). */
function codeBlock(lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(lines.join('\n')) + 1));
  return [fence, ...lines, fence].join('\n');
}

function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestBackticks(text) + 1);
  return `${ticks}${text}${ticks}`;
}

function longestBackticks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Escapes text as one line of prose, so that it has no markup, HTML or automatic link (CommonMark, section 2.4; GFM 6.9). */
function escaped(text: string): string {
  return toTerminalLine(text.replaceAll(ISO_TIME, utc))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<&|~#!$]/g, String.raw`\$&`)
    .replaceAll('://', String.raw`:\/\/`)
    .replaceAll(/\bwww\./gi, (word) => `${word.slice(0, 3)}\\.`)
    .replace(/^[-+=>]/, String.raw`\$&`)
    .replace(/^(\d+)([.)]) /, String.raw`$1\$2 `);
}
