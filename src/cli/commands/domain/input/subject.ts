import type { DomainName } from '../../../../domain/index.js';
import { anyText, argument, offering } from '../../../command-line/flag.js';
import type { Session } from '../../../session/session.js';
import { UsageError } from '../../../errors/usage-error.js';
import type { DnsOptions } from './domain-flags.js';
import { asciiOf, readDomainName, readDomainNames } from './names.js';
import { type DomainProject, readDomainProject } from './project.js';

/** The domains and the target of a command, from its arguments or the project file. */
export type CommandSubject = ReturnType<typeof readSubject>;

/** Any text: the names are checked together, so that all invalid ones are reported. */
export const aDomain = offering('domain', anyText);

/** The arguments of a command for several domains. @param purpose what the command does with them, such as `check`. */
export const domainArguments = (purpose: string) => ({
  words: argument('[domains...]', `Domains to ${purpose} (default: those of petstore.config.json)`, aDomain),
});

/** Target of the names in the embedded mock. */
const MOCK_TARGET = 'cname.platform.test';

const TARGET_HINT = 'Use the target that the dashboard shows, such as cname.platform.example.';

/**
 * Reads the domains and their target, before any query.
 *
 * @throws UsageError if all domains are invalid, or if the domains or the target are missing, or the target is invalid.
 */
export function readSubject(words: readonly string[], flags: Pick<DnsOptions, 'target'>, session: Session) {
  const project = projectOf(words, session);
  const domains = readDomainNames(words.length > 0 ? words : project.domains, { keepsInvalid: true });
  if (domains.length === 0) throw noDomainError(session, project);
  const target = configuredTarget(flags, session, project);
  if (target === undefined)
    throw new UsageError(
      'No target configured',
      'Pass --target with the value that the dashboard shows, or set "target" in petstore.config.json.',
    );
  if (domains.length === 1) checkTarget(target, domains);
  const names = domains.map(({ ascii }) => ascii).filter((ascii) => ascii !== '');
  return {
    /** An invalid one of several has an empty `ascii`. Its check ends with the state `invalid`. */
    domains,
    /** The valid domains in ASCII. */
    names,
    target,
    project,
  };
}

/**
 * Reads one domain, and its target if set.
 *
 * @throws UsageError if the domain or the target is invalid.
 */
export function readOneSubject(
  word: string,
  flags: Pick<DnsOptions, 'target'>,
  session: Session,
): { name: DomainName; target: string | undefined } {
  const project = projectOf([word], session);
  const name = readDomainName(word);
  const target = configuredTarget(flags, session, project);
  if (target !== undefined) checkTarget(target, [name]);
  return { name, target };
}

function checkTarget(target: string, domains: readonly DomainName[]): void {
  if (domains.every(({ ascii }) => ascii !== target)) return;
  throw new UsageError(`The target is the domain itself: ${target}`, TARGET_HINT);
}

/** The entries of the project file. With --mock only the domains in `.test`, and none if the command names some. */
function projectOf(words: readonly string[], session: Session): DomainProject {
  if (!session.global.mock) return readDomainProject(session);
  const listed = words.length > 0 ? [] : readDomainProject(session).domains;
  const domains = listed.filter(isMockHost);
  if (domains.length > 0)
    noteLeftOut(
      listed.filter((host) => !isMockHost(host)),
      session,
    );
  return { domains, redirects: [] };
}

/** Otherwise the result would look like one for the whole project file. */
export function noteLeftOut(hosts: readonly string[], { note }: Pick<Session, 'note'>): void {
  if (hosts.length > 0) note(`Not checked, because --mock serves only names in .test: ${hosts.join(', ')}`);
}

/** Whether the embedded mock may serve a host. */
export function isMockHost(host: string): boolean {
  return /\.test\.?$/i.test(host);
}

/** The target in ASCII from the flag, the mock or the project file; `undefined` if not set. */
export function configuredTarget(
  { target }: Pick<DnsOptions, 'target'>,
  { global }: Session,
  project: DomainProject,
): string | undefined {
  if (target !== undefined) return readDomainName(target, '--target', TARGET_HINT).ascii;
  return global.mock ? MOCK_TARGET : project.target && asciiOf(project.target);
}

function noDomainError({ global }: Session, { path }: DomainProject): UsageError {
  if (global.mock) {
    return new UsageError(
      'No domain given, and petstore.config.json lists none in .test for --mock',
      'Name one, such as shop.example.test. For more names, see: petstore help mock-dns',
    );
  }
  return new UsageError(
    path === undefined ? 'No domain given' : `No domain given, and ${path} lists none`,
    'Name one, such as shop.example.com, or list them as "domains" in petstore.config.json.',
  );
}
