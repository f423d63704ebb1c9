import type { DomainName } from '../../../domain/index.js';
import type { Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';
import { MOCK_TARGET } from './dns-access.js';
import type { DnsFlags } from './domain-flags.js';
import { asciiOf, readDomainName, readDomainNames, readNameFrom } from './report/names.js';
import { type DomainProject, readDomainProject } from './project.js';

/** What a command is about: by the words and flags given, else by the project file. */
export interface CommandSubject {
  domains: readonly DomainName[];
  /** In ASCII. */
  target: string;
  /** Empty with --mock, whose names are none of the project's. */
  project: DomainProject;
}

const TARGET_HINT = 'Use the target that the dashboard shows, such as cname.platform.example.';

/**
 * Finds out which domains are meant, and their target.
 *
 * @throws UsageError where nothing names them, or one is no name. Nothing has been asked by then.
 */
export function readSubject(
  words: readonly string[],
  flags: Pick<DnsFlags, 'target'>,
  session: Session,
): CommandSubject {
  const project = projectOf(session);
  const domains = readDomainNames(words.length > 0 ? words : project.domains);
  if (domains.length === 0) throw noDomain(session, project);
  const target = neededTarget(flags, session, project);
  checkTarget(target, domains);
  return { domains, target, project };
}

/**
 * Finds out which domain is meant, and its target where something names one.
 *
 * @throws UsageError where the one or the other is no name.
 */
export function readOneSubject(
  word: string,
  flags: Pick<DnsFlags, 'target'>,
  session: Session,
): { name: DomainName; target: string | undefined } {
  const project = projectOf(session);
  const name = readDomainName(word);
  const target = givenTarget(flags, session, project);
  if (target !== undefined) checkTarget(target, [name]);
  return { name, target };
}

/** What is wrong with a name is told of a domain of one's own, and the target is the platform's. */
function parseTarget(word: string): string {
  try {
    return readNameFrom('--target', word).ascii;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const guess = error.hint?.startsWith('did you mean ') === true ? error.hint : TARGET_HINT;
    throw new UsageError(error.message, guess, error);
  }
}

function checkTarget(target: string, domains: readonly DomainName[]): void {
  if (domains.every(({ ascii }) => ascii !== target)) return;
  throw new UsageError(`the target is the domain itself: ${target}`, TARGET_HINT);
}

/** The project file's entries; none with --mock. */
function projectOf(session: Session): DomainProject {
  return session.global.mock ? { domains: [], redirects: [] } : readDomainProject(session);
}

/**
 * The target in ASCII, by the flag, else by the project file, that of the mock with --mock; `undefined` where nothing names
 * one.
 */
export function givenTarget(
  { target }: Pick<DnsFlags, 'target'>,
  { global }: Session,
  project: DomainProject,
): string | undefined {
  if (target !== undefined) return parseTarget(target);
  return global.mock ? MOCK_TARGET : project.target && asciiOf(project.target);
}

function neededTarget(flags: Pick<DnsFlags, 'target'>, session: Session, project: DomainProject): string {
  const target = givenTarget(flags, session, project);
  if (target !== undefined) return target;
  throw new UsageError(
    'no target: it is not known where the domain is to point',
    'pass --target with the value that the dashboard shows, or set "target" in petstore.config.json',
  );
}

function noDomain({ global }: Session, { path }: DomainProject): UsageError {
  if (global.mock) {
    return new UsageError(
      'no domain given: --mock has names of its own, and does not read petstore.config.json',
      'such as petstore --mock domain verify shop.example.test; petstore help mock-dns lists the names',
    );
  }
  return new UsageError(
    path === undefined ? 'no domain given' : `no domain given, and ${path} lists none`,
    'name one, such as shop.example.com, or list them as "domains" in petstore.config.json',
  );
}
