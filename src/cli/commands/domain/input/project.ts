import type { DomainName, RedirectEntry } from '../../../../domain/index.js';
import { readProjectFile } from '../../../settings/config/config-files.js';
import { PLAN_NAMES, type PlanName } from '../../../settings/config/config-values.js';
import type { Session } from '../../../session/session.js';
import { fieldPath } from '../../../settings/config/secret-name.js';
import { hasForeignOwner } from '../../../system/files/ownership.js';
import { UsageError } from '../../../errors/usage-error.js';
import { asciiOf, readDomainName } from './names.js';

/** The entries of the nearest `petstore.config.json` for custom domains. */
export interface DomainProject {
  /** Absolute path; `undefined` without such a file. */
  path?: string;
  target?: string | undefined;
  plan?: PlanName | undefined;
  /** Whether the project has a successful deploy. */
  deployed?: boolean | undefined;
  domains: readonly string[];
  redirects: readonly RedirectEntry[];
}

/**
 * Reads the domain entries of the project file, whose JSON is already validated.
 *
 * @throws UsageError with the path of an invalid entry, such as `redirects[1].status`.
 */
export function readDomainProject({ context, warn }: Pick<Session, 'context' | 'warn'>): DomainProject {
  const file = readProjectFile(context.currentDirectory);
  if (file === undefined) return { domains: [], redirects: [] };
  // A warning only: the owner of a checkout in a container is often another user.
  if (hasForeignOwner(file, context) && FIELDS.some((name) => Object.hasOwn(file.content, name)))
    warn(`${file.path} sets the domains or redirects to check, but belongs to another user.`);
  const { path, content } = file;
  const check: Check = (isValid, field, expected) => {
    if (!isValid)
      throw new UsageError(
        `${field} in ${path} must be ${expected}`,
        'For an example, see: petstore help config',
        undefined,
        [{ file: path }],
      );
  };
  const textAt = (field: string, value: unknown): string => {
    check(typeof value === 'string' && value.trim() !== '', field, 'a string that is not empty');
    return value;
  };
  const hostAt: HostAt = (field, value) => {
    const text = textAt(field, value);
    readDomainName(text, `${field} in ${path}`);
    return text;
  };
  const { target, plan, deployed, domains = [], redirects = [] } = content;
  const host = target === undefined ? undefined : hostAt('target', target);
  const planName = PLAN_NAMES.find((name) => typeof plan === 'string' && name === plan.toLowerCase());
  check(plan === undefined || planName !== undefined, 'plan', `one of ${PLAN_NAMES.join(', ')}`);
  check(deployed === undefined || typeof deployed === 'boolean', 'deployed', 'true or false');
  check(Array.isArray(domains), 'domains', 'a list');
  check(Array.isArray(redirects), 'redirects', 'a list');
  return {
    path,
    target: host,
    plan: planName,
    deployed,
    // An invalid name gets a report of its own, next to those of the others.
    domains: domains.map((entry, index) => textAt(`domains[${String(index)}]`, entry)),
    redirects: redirects.map((entry, index) =>
      redirectAt(`redirects[${String(index)}]`, entry, check, hostAt),
    ),
  };
}

/** @throws UsageError for an invalid field. `expected`: the end of its message. */
type Check = (isValid: boolean, field: string, expected: string) => asserts isValid;
/** Validates a host at a path, and returns it as written. */
type HostAt = (field: string, value: unknown) => string;

const FIELDS = ['target', 'plan', 'deployed', 'domains', 'redirects'];

const REDIRECT_FIELDS: readonly string[] = ['from', 'to', 'status'];

function redirectAt(field: string, value: unknown, check: Check, hostAt: HostAt): RedirectEntry {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  check(isObject, field, 'an object with from, to and status');
  const unknown = Object.keys(value).find((name) => !REDIRECT_FIELDS.includes(name));
  check(unknown === undefined, fieldPath(field, unknown ?? ''), 'removed: an entry has from, to and status');
  const missing = REDIRECT_FIELDS.find((name) => !Object.hasOwn(value, name));
  check(missing === undefined, `${field}.${missing ?? ''}`, 'added: an entry has from, to and status');
  const { from, to, status } = value as Record<string, unknown>;
  check(
    typeof status === 'number' && Number.isInteger(status),
    `${field}.status`,
    'a whole number such as 301',
  );
  return { from: hostAt(`${field}.from`, from), to: hostAt(`${field}.to`, to), status };
}

/** The project's domains in ASCII, and others that are checked too. `undefined` if the project file lists none. */
export function attachedDomains(
  { domains }: DomainProject,
  others: readonly DomainName[] = [],
): string[] | undefined {
  if (domains.length === 0) return undefined;
  return [...domains.flatMap((host) => asciiOf(host) ?? []), ...others.map(({ ascii }) => ascii)];
}
