import type { Facts, ServerFacts } from '../gather/facts/facts.js';
import type { Finding, FindingId, Fix, RecordFields, RecordToAdd, Todo } from '../report/finding.js';
import { LISTED_MAX } from '../names/printable.js';
import { changesRecords, recordChanges } from '../report/record-changes.js';
import type { DnsRecord } from '../dns/dns.js';
import { valueText } from '../gather/views/evidence.js';
import { isFromWildcard, ownAddresses } from '../gather/views/own-records.js';
import {
  aliasesAt,
  aliasTarget,
  areCopies,
  decisiveServers,
  laggingServers,
} from '../gather/views/server-view.js';
import { expectedRecordsOf, isTargetDead, placeOf, placeOfHosts, recordFields } from './advice.js';
import { changeText, removalText } from './words.js';

/** One step of {@link todoLines}. */
export interface TodoLine {
  /** Where to make a change, and which; or another advice. */
  text: string;
  /** The advice, if it changes no record. */
  fix?: Fix;
  /** The records to paste or, for a removal, to remove. Empty if no record is to be changed. */
  records: readonly RecordFields[];
  /** Whether the records are to be removed. */
  isRemoval: boolean;
  /** Those that the text does not name in full: all to paste, and removals that are too many for a sentence. */
  shown: readonly RecordFields[];
}

/**
 * Returns the changes of records that fix the findings, in an order in which each step keeps a working domain.
 *
 * @param findings Blocking ones, and warnings if they count too.
 */
export function todoOf(facts: Facts, findings: readonly Finding[]): Todo[] {
  const at = placeOf(facts);
  const { add, remove } = recordChanges(findings.filter(({ axis }) => axis === 'record' || axis === 'caa'));
  const wanted = add.find(({ type }) => type !== 'CAA');
  const permissions = permissionsToAdd(add);
  const isThere = hasExpected(facts);
  // A CNAME can't be added next to a CAA record of the same name.
  const isOldCaa = (record: RecordFields): boolean =>
    isCaa(record) &&
    (isThere || record.name !== wanted?.name || permissions.some(({ name }) => name === record.name));
  const [oldCaa, old] = [remove.filter(isOldCaa), remove.filter((record) => !isOldCaa(record))];
  const replaces = isThere ? [] : old;
  const removes = wanted === undefined || isThere ? old : [];
  return [
    ...delegationTodo(facts, findings),
    ...removes.map((record): Todo => ({ at, action: 'remove', record })),
    // The right record stays as it is while others next to it go.
    ...(wanted === undefined || (isThere && removes.length > 0)
      ? []
      : [todoFor(at, asTyped(facts, findings, wanted), { replaces, exists: isThere || hasOwn(facts) })]),
    ...caaTodo(at, permissions, oldCaa),
    ...atOtherProvider(facts, findings),
  ];
}

function todoFor(
  at: string,
  record: RecordFields,
  { replaces, exists }: { replaces: readonly RecordFields[]; exists: boolean },
): Todo {
  const action = replaces.length > 0 || exists ? 'edit' : 'add';
  return { at, action, record, ...(replaces.length > 0 && { replaces }) };
}

/** The CAA records to add: none at a name that gets a CNAME, which must be its only record. */
export function permissionsToAdd(add: readonly RecordToAdd[]): RecordToAdd[] {
  const aliased = add.filter(({ type }) => type === 'CNAME').map(({ name }) => name);
  return add.filter((record) => isCaa(record) && !aliased.includes(record.name));
}

function isCaa({ type }: RecordFields): boolean {
  return type === 'CAA';
}

/** Changes of NS and DS records, which the parent zone has. */
function delegationTodo({ zone }: Facts, findings: readonly Finding[]): Todo[] {
  const at = zone.cut === undefined ? 'your registrar' : `the DNS provider of ${zone.cut.parentZone}`;
  return findings.filter(isOfDelegation).flatMap((finding) => {
    const { add, remove } = recordChanges([finding]);
    return add.length === 0
      ? remove.map((record): Todo => ({ at, action: 'remove', record }))
      : add.map((record) => todoFor(at, record, { replaces: remove, exists: false }));
  });
}

function isOfDelegation({ axis, fix }: Finding): boolean {
  return axis === 'zone' && changesRecords(fix);
}

/** The value in the form that the provider needs: without a final dot, some append the zone. */
function asTyped({ provider }: Facts, findings: readonly Finding[], record: RecordFields): RecordFields {
  const appends =
    provider?.dns?.panel?.needsFinalDot === true || findings.some(({ id }) => id === 'record.missing-dot');
  return appends ? { ...record, value: `${record.value}.` } : record;
}

/** Whether the zone has the CNAME to the target already, and not from a wildcard. An apex needs another type. */
function hasExpected(facts: Facts): boolean {
  const isTarget = (record: DnsRecord): boolean => aliasTarget(record) === facts.target;
  return (
    facts.zone.kind === 'subdomain' &&
    ownServers(facts).some((server) => aliasesAt(facts, server).some(isTarget))
  );
}

/** Whether a name server returns an alias or address of the domain's own. A proxy may hide the record. */
function hasOwn(facts: Facts): boolean {
  return ownServers(facts).some((server) => {
    return aliasesAt(facts, server).length + ownAddresses(facts, server).length > 0;
  });
}

function ownServers(facts: Facts) {
  return decisiveServers(facts).filter(({ server }) => !isFromWildcard(facts, server));
}

/** A CAA record with another flag replaces the old one. */
function caaTodo(at: string, add: readonly RecordFields[], old: readonly RecordFields[]): Todo[] {
  const property = ({ value }: RecordFields): string => value.replace(/^\d+ /, '');
  const replacedBy = (record: RecordFields) => old.filter((one) => property(one) === property(record));
  const replaced = new Set(add.flatMap(replacedBy));
  return [
    ...add.map((record) => todoFor(at, record, { replaces: replacedBy(record), exists: false })),
    ...old.flatMap((record): Todo[] => (replaced.has(record) ? [] : [{ at, action: 'remove', record }])),
  ];
}

/** Findings of a record that only the servers of one provider have. */
const OF_ONE_PROVIDER: ReadonlySet<FindingId> = new Set<FindingId>([
  'zone.split-providers',
  'record.partial',
]);

function isUnshared({ id, severity }: Finding): boolean {
  return severity === 'block' && OF_ONE_PROVIDER.has(id);
}

/** The servers of another provider, which need the record too. */
export function serversOfOtherProvider(facts: Facts, findings: readonly Finding[]): ServerFacts[] {
  if (!findings.some(isUnshared)) return [];
  return laggingServers(facts).filter((server) =>
    decisiveServers(facts).every((one) => !areCopies(facts, one, server)),
  );
}

/** The record at the other provider. Whether that one has ALIAS is not known. */
function atOtherProvider(facts: Facts, findings: readonly Finding[]): Todo[] {
  const { zone } = facts;
  const others = serversOfOtherProvider(facts, findings);
  if (zone.kind === 'apex' || others.length === 0 || isTargetDead(facts)) return [];
  const hosts = others.flatMap(({ server }) => server.host ?? []);
  const old = others.flatMap((server) => [...aliasesAt(facts, server), ...ownAddresses(facts, server)]);
  const replaces = [
    ...new Map(old.map((record) => [valueText(record.data), recordFields(facts, record)])).values(),
  ];
  return expectedRecordsOf(facts).map((record) =>
    todoFor(placeOfHosts(hosts, zone), record, { replaces, exists: false }),
  );
}

/**
 * Returns what to do about a report or a record plan, in order. Each text names the place, then the change. Advice that
 * changes no record is the text of its finding.
 *
 * @example
 * const report = await checkDomain({ domain: 'shop.example.com', target: 'cname.example.net' });
 * for (const { text } of todoLines(report)) console.log(text);
 */
export function todoLines({
  findings,
  todo,
  expected,
}: {
  findings: readonly Finding[];
  todo: readonly Todo[];
  expected: readonly RecordFields[];
}): TodoLine[] {
  const isInTodo = (finding: Finding): boolean =>
    isUnshared(finding) ? todo.length > 0 : changesRecords(finding.fix);
  const changes = todo.flatMap((one, index) => changeLine(todo, index, one, expected));
  // Nothing was checked for an invalid name.
  const isInvalid = expected.length === 0 && findings.every(({ axis }) => axis === 'name');
  const texts = isInvalid
    ? []
    : findings.filter((finding) => finding.severity === 'block' && !isInTodo(finding));
  const first = findings.findIndex(isInTodo);
  const isFirst = ({ text }: TodoLine, index: number, lines: readonly TodoLine[]): boolean =>
    lines.findIndex((line) => line.text === text) === index;
  const lineOf = ({ fix, message }: Finding): TodoLine => ({
    text: fix?.text ?? message,
    ...(fix && { fix }),
    records: [],
    isRemoval: false,
    shown: [],
  });
  const isBefore = (finding: Finding): boolean => findings.indexOf(finding) < first;
  return [
    ...texts.filter(isBefore).map(lineOf),
    ...changes,
    ...texts.filter((finding) => !isBefore(finding)).map(lineOf),
  ].filter(isFirst);
}

/** Removals at one place are one line. */
function changeLine(
  todo: readonly Todo[],
  index: number,
  change: Todo,
  [stays]: readonly RecordFields[],
): TodoLine[] {
  const { at, action, record } = change;
  if (action !== 'remove') {
    const records = [record];
    return [{ text: changeText(change), records, isRemoval: false, shown: records }];
  }
  const removed = todo.filter(
    (one) => one.action === 'remove' && one.at === at && one.record.name === record.name,
  );
  if (todo.findIndex((one) => one === removed[0]) !== index) return [];
  const [, ...others] = removed.map((one) => one.record);
  const records = [record, ...others] as const;
  const shown = records.length > LISTED_MAX ? records : [];
  return [{ text: removalText(at, records, stays), records, isRemoval: true, shown }];
}
