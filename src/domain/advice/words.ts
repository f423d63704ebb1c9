import type { AdvicePart, Change, Fix, RecordFields, Todo } from '../report/finding.js';
import { clipped, listed } from '../names/printable.js';

/** What a rule advises. */
export interface Advice extends Partial<Change> {
  action: Fix['action'];
  /** What to check before the change. */
  first?: readonly AdvicePart[];
  /** The change. */
  step: string;
  /** Whether the step says more than the change of its records, so that a page shows it next to them. */
  isOwnStep?: boolean;
  /** Hints after the change. */
  notes?: readonly string[];
}

/** Writes an advice. */
export function fixOf({
  action,
  first = [],
  step,
  isOwnStep = false,
  notes = [],
  remove = [],
  add = [],
}: Advice): Fix {
  const change: AdvicePart = { kind: isOwnStep ? 'step' : 'change', text: step };
  const fix = withParts({ action, remove, add }, [change, ...notes.map(noteOf)]);
  return first.toReversed().reduce(withFirst, fix);
}

/** Adds what to check before the change. */
export function withFirst({ parts: [next, ...others], ...fix }: Fix, first: AdvicePart): Fix {
  const lead = first.kind === 'unless' ? 'Otherwise: ' : '';
  return withParts(fix, [
    first,
    ...(next === undefined ? [] : [{ ...next, text: lead + next.text }]),
    ...others,
  ]);
}

/** Adds a hint to an advice. */
export function withNote(fix: Fix, ...notes: readonly string[]): Fix {
  return withParts(fix, [...fix.parts, ...notes.map(noteOf)]);
}

/** Adds several ways, of which one is enough. */
export function withChoices(fix: Fix, choices: readonly string[]): Fix {
  return withParts(fix, [...fix.parts, ...choices.map((text): AdvicePart => ({ kind: 'choice', text }))]);
}

function noteOf(text: string): AdvicePart {
  return { kind: 'note', text };
}

function withParts({ action, remove, add }: Omit<Fix, 'text' | 'parts'>, parts: readonly AdvicePart[]): Fix {
  return { action, text: parts.map(({ text }) => text).join(' '), parts, remove, add };
}

/** The record may have been changed after the first responses. */
export const RECENT_CHANGE: AdvicePart = {
  kind: 'unless',
  text: 'If you changed the record a moment ago, check again first.',
};

/** The platform serves the domain, although its records lead elsewhere. */
export const OWN_PROXY: AdvicePart = { kind: 'unless', text: 'If this is a proxy of yours, change nothing.' };

/** Returns a record in one line: `CNAME shop -> cname.platform.test, TTL 3600`. */
export function recordLine({ type, label, value, ttl }: RecordFields): string {
  return `${type} ${label} -> ${value}${ttl === undefined ? '' : `, TTL ${ttl}`}`;
}

/** Says where to make a change, and which. */
export function changeText({ at, action, record, replaces = [] }: Todo): string {
  const [first] = replaces;
  if (action === 'add') return `Add at ${at}: ${subject([record])}`;
  if (first === undefined) return `Edit at ${at}: ${subject([record])}`;
  const renamed = first.name.toLowerCase() === record.name.toLowerCase() ? '' : ` to "${record.label}"`;
  if (replaces.every(({ type }) => type === record.type))
    return `Edit at ${at}: ${renamed === '' ? '' : 'rename '}${subject(replaces)}${renamed}`;
  return `Edit at ${at}: replace ${subject(replaces)} with this ${record.type}${needText(replaces)}`;
}

/** Says where to remove the records of one name, and what stays. */
export function removalText(
  at: string,
  records: readonly [RecordFields, ...RecordFields[]],
  stays: RecordFields | undefined,
): string {
  // The right records may have the same type.
  const named = records.map(({ type, value }) => `${type} ${clipped(value, VALUE_LENGTH_MAX)}`);
  return `Remove at ${at}: ${subject(records, named)}${needText(records)}; ${stayingText(records[0], stays)}`;
}

/** Characters. Longer values are truncated in sentences. */
const VALUE_LENGTH_MAX = 40;

/** What is there without the removed record. */
function stayingText({ type, label, name }: RecordFields, stays: RecordFields | undefined): string {
  if (type === 'DS') return 'the zone is not signed';
  if (type === 'NS')
    return label === '@' ? 'the other name servers stay' : `the zone above then has the records of ${name}`;
  return stays?.type === 'ALIAS'
    ? `the addresses of ${stays.value} stay`
    : `the CNAME to ${stays?.value ?? ''} stays`;
}

/** Warns in the same line: mail or another service may need a record. */
function needText(removed: readonly RecordFields[]): string {
  return removed.every(({ type }) => VISITED_TYPES.has(type)) ? '' : ', if nothing needs it';
}

/** Only visitors and certificate authorities look up these. */
const VISITED_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'DS', 'HTTPS', 'NS']);

/** `the A and AAAA "shop" of example.com`. */
function subject(records: readonly RecordFields[], named = records.map(({ type }) => type)): string {
  const { label = '', name = '' } = records[0] ?? {};
  const zone = name.toLowerCase().startsWith(`${label.toLowerCase()}.`) ? name.slice(label.length + 1) : name;
  return `the ${listed([...new Set(named)])} "${label}" of ${zone}`;
}
