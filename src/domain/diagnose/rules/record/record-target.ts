import { digEvidence, evidenceOfAll } from '../../../gather/views/evidence.js';
import type { Facts, ServerFacts, ChainStep } from '../../../gather/facts/facts.js';
import { finding, type Evidence, type Finding, type Fix } from '../../../report/finding.js';
import { changeToExpectedRecord, compareTarget, expectedText, isTargetDead } from '../../../advice/advice.js';
import {
  aliasesAt,
  aliasTarget,
  decisiveAliases,
  decisiveServers,
  isAbsent,
  serverView,
} from '../../../gather/views/server-view.js';
import { isWithin } from '../../../gather/facts/classify.js';
import { listed } from '../../../names/printable.js';
import { editDistance } from '../../../../options/suggest.js';
import type { Lookup } from '../../../gather/facts/lookup.js';

/**
 * A CNAME to another host, with the probable reason. Without a reason, a CNAME to a host without an address is
 * `record.dangling`.
 *
 * - `record.missing-dot`: the provider appended the zone to the value.
 * - `record.typo-target`: the value differs from the target by a typing error.
 * - `record.wrong-target`: the value is another host.
 */
export function recordWrongTarget(facts: Facts): Finding[] {
  const isDeadEnd = deadEndOf(facts) !== undefined;
  return wrongAliases(facts).filter(({ id }) => !isDeadEnd || id !== 'record.wrong-target');
}

/** A finding for each alias to another host, including those that `record.dangling` reports instead. */
export function wrongAliases(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex' || aliasChain(facts).loop !== undefined) return [];
  const seen = new Map<string, ServerFacts>();
  for (const server of decisiveServers(facts)) {
    const aliases = aliasesAt(facts, server);
    const isElsewhere = aliases.length === 1 && serverView(facts, server) === 'wrong';
    for (const target of isElsewhere ? aliases.map(aliasTarget) : []) {
      if (target !== facts.target && !passesTarget(facts, target) && !seen.has(target))
        seen.set(target, server);
    }
  }
  return [...seen].flatMap(([value, server]) => problemOf(facts, value, evidenceOfAll([server.cname])));
}

function passesTarget(facts: Facts, first: string): boolean {
  const { steps } = aliasChain(facts);
  return steps[0]?.to.toLowerCase() === first && steps.some(({ to }) => to.toLowerCase() === facts.target);
}

function problemOf(facts: Facts, value: string, evidence: readonly Evidence[]): Finding[] {
  const { domain, target } = facts;
  const old = decisiveAliases(facts).filter((record) => aliasTarget(record) === value);
  const message = `The CNAME of ${domain.unicode} points to ${value}`;
  const typed = withoutEscapes(value);
  const extra = typed === value ? '' : ` It contains ${escapesText(value)}.`;
  if (hasZoneAppended(facts, typed)) {
    return [
      finding('record.missing-dot', 'block', {
        message: `${message}. Your provider appends the zone to a value without a final dot.${extra}`,
        fix: changeToExpectedRecord(facts, {
          step: `Set the value to "${target}.", with the dot at its end.`,
          isOwnStep: true,
          old,
        }),
        evidence,
      }),
    ];
  }
  const step = `Change the value from ${value} to ${target}: ${expectedText(facts)}.`;
  if (isTargetDead(facts) && isTypoOf(target, typed)) {
    return [
      finding('record.typo-target', 'block', {
        message: `${message}.${extra} The target "${target}" is nearly the same. Is it mistyped?`,
        fix: compareTarget(facts),
        evidence,
      }),
    ];
  }
  if (isTypoOf(target, typed)) {
    return [
      finding('record.typo-target', 'block', {
        message: `${message}.${extra} Did you mean "${target}"?`,
        fix: changeToExpectedRecord(facts, { step, old }),
        evidence,
      }),
    ];
  }
  const isUrl = /^https?\b|[/:\\]/.test(value);
  const notes = isUrl ? ['Enter a host name only, without https:// and path.'] : [];
  return [
    finding('record.wrong-target', 'block', {
      message: `${message}, not to ${target}.`,
      fix: changeToExpectedRecord(facts, { step, notes, old }),
      evidence,
    }),
  ];
}

/** At an apex, `apex.cname` has the fix. */
function changeAliases(facts: Facts, step = `Change the record to ${expectedText(facts)}.`): Fix | string {
  return facts.zone.kind === 'apex'
    ? 'The fix of the CNAME at the apex ends this too.'
    : changeToExpectedRecord(facts, { step, old: decisiveAliases(facts) });
}

const TYPO_DISTANCE_MAX = 2;

/** Whether a value is nearly the target, or the target with its own ending twice, such as `.com.com`. */
function isTypoOf(target: string, value: string): boolean {
  const ending = value.startsWith(`${target}.`) ? value.slice(target.length) : undefined;
  return (
    (ending !== undefined && target.endsWith(ending)) ||
    editDistance(value, target, TYPO_DISTANCE_MAX + 1) <= TYPO_DISTANCE_MAX
  );
}

/**
 * Whether the value is `target.zone`, or the target with another parent of the domain appended. A provider appends no
 * public suffix.
 */
function hasZoneAppended({ domain, target, zone }: Facts, value: string): boolean {
  if (!value.startsWith(`${target}.`)) return false;
  const appended = value.slice(target.length + 1);
  return isWithin(domain.ascii, appended) && isWithin(appended, zone.registrable);
}

/** A byte of a name in a record as `\DDD`. No host name has any, so it was typed or pasted by mistake. */
const ESCAPE = /\\(\d{3})/g;

function withoutEscapes(value: string): string {
  return value.replaceAll(ESCAPE, '');
}

/** Names the bytes that a panel does not show: `a space` or `the byte \255`. */
function escapesText(value: string): string {
  const texts = [...value.matchAll(ESCAPE)].map(
    ([escape]) => ESCAPE_NAMES.get(escape) ?? `the byte ${escape}`,
  );
  return listed([...new Set(texts)]);
}

const ESCAPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['\\009', 'a tab'],
  ['\\010', 'a line break'],
  ['\\032', 'a space'],
  ['\\034', 'a quotation mark'],
]);

/** `record.dangling` of the target: no record may be changed to it, because a domain that works would stop working. */
export function recordDeadTarget(facts: Facts): Finding[] {
  const { platform, target } = facts;
  if (!isTargetDead(facts)) return [];
  return [
    finding('record.dangling', 'block', {
      message: `The target ${target} has no address, so no record with this target can work.`,
      fix: compareTarget(facts),
      evidence: evidenceOfAll([platform.a, platform.aaaa]),
    }),
  ];
}

/** `record.dangling`: the aliases end at a name without an address. */
export function recordDangling(facts: Facts): Finding[] {
  if (isTargetDead(facts)) return [];
  const isExplained = wrongAliases(facts).some(({ id }) => id !== 'record.wrong-target');
  if (isExplained || hasSeveralAliases(facts) || aliasChain(facts).loop !== undefined) return [];
  // The alias is a wildcard's: the domain itself has no record.
  if (decisiveServers(facts).length === 0 || isAbsent(facts)) return [];
  const end = deadEndOf(facts);
  if (end === undefined) return [];
  return [
    finding('record.dangling', 'block', {
      message: `${facts.domain.unicode} points to ${end.name}, ${deadEndText(end)}.`,
      fix: changeAliases(facts),
      evidence: evidenceOfAll(end.lookups),
    }),
  ];
}

/** Whether a server has two or more CNAMEs, which `conflict.multiple-cname` reports with the fix of each. */
function hasSeveralAliases(facts: Facts): boolean {
  return decisiveServers(facts).some((server) => aliasesAt(facts, server).length > 1);
}

function deadEndText({ name, missingZone }: DeadEnd): string {
  if (missingZone === undefined) return 'which has no address';
  return name === missingZone ? 'which is not registered' : `and ${missingZone} is not registered`;
}

/** `record.loop`: aliases that point to each other in a circle, so that resolvers find no address. */
export function recordLoop(facts: Facts): Finding[] {
  const { loop, steps } = aliasChain(facts);
  if (loop === undefined || hasSeveralAliases(facts)) return [];
  return [
    finding('record.loop', 'block', {
      message: `The aliases form a loop: ${loop.join(' -> ')}. They lead to no address.`,
      fix: changeAliases(facts),
      evidence: loop.slice(0, -1).map((name, index) => {
        const server = steps.find(({ from }) => from.toLowerCase() === name)?.server;
        const text = `${name} CNAME ${loop[index + 1] ?? ''}`;
        return digEvidence(text, server, name, 'CNAME', server?.host === undefined);
      }),
    }),
  ];
}

/** Limits of Zonemaster. Resolvers give up on long chains. */
const HOPS_WARN = 8;
const HOPS_MAX = 10;

/** `record.chain`: the alias reaches the target through other aliases. */
export function recordChain(facts: Facts): Finding[] {
  const { steps, loop } = aliasChain(facts);
  const hops = steps.findIndex(({ to }) => to.toLowerCase() === facts.target) + 1;
  const isLong = steps.length > HOPS_WARN;
  if (loop !== undefined || hops === 0 || (hops === 1 && !isLong)) return [];
  const chain = [facts.domain.ascii, ...steps.map(({ to }) => to)].join(' -> ');
  const severity = steps.length > HOPS_MAX ? 'block' : isLong ? 'warn' : 'info';
  return [
    finding('record.chain', severity, {
      message: isLong
        ? `${facts.domain.unicode} reaches its address through ${steps.length} aliases. Many resolvers stop after about ${HOPS_MAX}.`
        : `${facts.domain.unicode} reaches ${facts.target} through ${hops} aliases. This works; a direct CNAME is safer.`,
      fix: changeAliases(facts, `Point the record to the target directly: ${expectedText(facts)}.`),
      evidence: [digEvidence(chain, decisiveServers(facts)[0]?.server, facts.domain.ascii, 'CNAME')],
    }),
  ];
}

/** The aliases from the domain on. */
export interface AliasChain {
  steps: readonly ChainStep[];
  /** The names of a loop in order, its first name again at the end. Absent without a loop. */
  loop?: readonly string[];
}

/** Returns the aliases of the domain, and their loop if they have one. */
export function aliasChain(facts: Facts): AliasChain {
  const steps = isDecisiveChain(facts) ? facts.relatedNames.chain : stepsOfServers(facts);
  const visited: string[] = [];
  for (const { from, to } of steps) {
    visited.push(from.toLowerCase());
    const start = visited.indexOf(to.toLowerCase());
    if (start >= 0) return { steps, loop: [...visited.slice(start), to.toLowerCase()] };
  }
  return { steps };
}

/** Whether the followed aliases do not start in an older copy of the zone. */
function isDecisiveChain(facts: Facts): boolean {
  const [first] = facts.relatedNames.chain;
  const decisive = decisiveServers(facts);
  const hasFirst = (server: ServerFacts): boolean =>
    aliasesAt(facts, server).some((record) => aliasTarget(record) === first?.to.toLowerCase());
  const others = facts.servers.filter((server) => !decisive.includes(server));
  return first !== undefined && (decisive.some(hasFirst) || !others.some(hasFirst));
}

/** The aliases in the responses of the zone's own servers. */
function stepsOfServers(facts: Facts): ChainStep[] {
  for (const server of decisiveServers(facts)) {
    const records = server.a.chain.length > 0 ? server.a.chain : aliasesAt(facts, server).slice(0, 1);
    const steps = records.flatMap(({ name, ttl, data }) =>
      data.type === 'CNAME' ? [{ from: name, to: data.target, ttl, server: server.server }] : [],
    );
    if (steps.length > 0) return steps;
  }
  return [];
}

/** A name without an address at the end of the aliases. */
export interface DeadEnd {
  name: string;
  /** The zone of the name, if that does not exist. */
  missingZone?: string;
  lookups: readonly Lookup[];
}

/** Returns the end of the domain's aliases if it has no address. */
function deadEndOf(facts: Facts): DeadEnd | undefined {
  return endAtServers(facts) ?? endOfChain(facts);
}

/** An end within the zone, as the zone's servers report it. */
function endAtServers(facts: Facts): DeadEnd | undefined {
  for (const { a, aaaa } of decisiveServers(facts)) {
    const name = a.chain.map(aliasTarget).at(-1);
    const isInZone = name !== undefined && (name === facts.zone.name || name.endsWith(`.${facts.zone.name}`));
    if (isInZone && isProvedEmpty(a) && isProvedEmpty(aaaa)) return { name, lookups: [a, aaaa] };
  }
  return undefined;
}

/**
 * Whether a response shows that there is no record at the end of the aliases: by NXDOMAIN or by an SOA record (RFC 2308,
 * section 2). Some servers return the first alias alone, and a referral means that the aliases end in a zone below.
 */
function isProvedEmpty(lookup: Lookup): boolean {
  return lookup.outcome === 'nxdomain' || (lookup.outcome === 'nodata' && lookup.negativeTtl !== undefined);
}

/** An end outside the zone. If its zone does not exist, the lookup is the NS query to the parent. */
function endOfChain(facts: Facts): DeadEnd | undefined {
  const { chain, chainEnd } = facts.relatedNames;
  if (chainEnd?.outcome !== 'nxdomain' || !isDecisiveChain(facts)) return undefined;
  const { name, type } = chainEnd.question;
  const lookups = [chainEnd];
  return type === 'NS' ? { name: chain.at(-1)?.to ?? name, missingZone: name, lookups } : { name, lookups };
}
