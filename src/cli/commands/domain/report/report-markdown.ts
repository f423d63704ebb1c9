import type { AdvicePart, RecordFields, TodoLine } from '../../../../domain/index.js';
import { toTerminalLine } from '../../../output/index.js';
import { fullMinute } from '../../../output/text/local-time.js';
import type { RenderedReport, ReportResult } from './next-commands.js';
import { evidenceOf } from './findings.js';
import { reportDocument, type Section } from './report-document.js';

/**
 * Formats a report as a Markdown page for the person who manages the DNS: verdict, steps, record, evidence. Times are in
 * UTC, because that person may be in another time zone.
 */
export function reportMarkdown(result: ReportResult): string {
  const { expected, zone, findings } = result.report;
  const { name, state, steps, sentence, visible, sections, panel, cdn, again } = reportDocument(result);
  const verdict = `${escaped(name)}: ${state.words}`;
  const [reasons, others] = [
    sections.filter(({ severity }) => severity === 'block'),
    sections.filter(({ severity }) => severity !== 'block' && severity !== 'info'),
  ];
  const parts = [
    ...(steps.length === 0 ? [`# ${verdict}`] : [...steps.flatMap(todoParts), `## ${verdict}`]),
    escaped(sentence),
    ...(visible === undefined ? [] : [`${escaped(visible.by)}.`]),
    ...reasons.flatMap(sectionParts),
    ...(expected.length === 0 || steps.length > 0
      ? []
      : [`## Record in the zone ${escaped(zone)}`, recordBlock(expected)]),
    ...(cdn === undefined ? [] : [escaped(cdn)]),
    ...(panel === undefined
      ? []
      : [
          `## ${escaped(panel.title)}`,
          panel.steps.map((step, index) => `${String(index + 1)}. ${escaped(step)}`).join('\n'),
        ]),
    ...others.flatMap(sectionParts),
    ...evidence(findings),
    ...(again === undefined
      ? []
      : ['## Check again', `${escaped(again.when)}:`, codeBlock([toTerminalLine(again.command)])]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sectionParts({ severity, title, items }: Section): string[] {
  const texts = items.map(({ message, id, advice }, index) => {
    const bullet = severity === 'block' ? `${String(index + 1)}. ` : '- ';
    const indent = ' '.repeat(bullet.length);
    return [`${bullet}${escaped(message)} (${codeSpan(id)})`, ...adviceParts(advice, indent)].join('\n\n');
  });
  return [`## ${title}`, texts.join('\n\n')];
}

/** An advice: one paragraph, then a list of its choices. */
function adviceParts(advice: readonly AdvicePart[], indent: string): string[] {
  const text = advice.flatMap((part) => (part.kind === 'choice' ? [] : [part.text])).join(' ');
  const choices = advice.flatMap((part) =>
    part.kind === 'choice' ? [`${indent}- ${escaped(part.text)}`] : [],
  );
  return [
    ...(text === '' ? [] : [indent + escaped(text)]),
    ...(choices.length === 0 ? [] : [choices.join('\n')]),
  ];
}

/** Where to change what, and the records to paste. */
function todoParts({ text, fix, records }: TodoLine, index: number): string[] {
  const [{ text: lead } = { text }, ...rest] = fix?.parts ?? [];
  return [
    index === 0 ? `# ${escaped(lead)}` : escaped(lead),
    ...adviceParts(rest, ''),
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

function evidence(findings: RenderedReport['findings']): string[] {
  const lines = evidenceOf(findings).map(({ text, command }) =>
    [...(command === undefined ? [] : [`$ ${command}`]), text].map(toTerminalLine).join('\n'),
  );
  return lines.length === 0 ? [] : ['## Evidence', codeBlock(lines)];
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
