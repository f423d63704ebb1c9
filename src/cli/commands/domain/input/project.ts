import type { RedirectEntry } from '../../../../domain/index.js';
import { readProjectFile } from '../../../config/config-files.js';
import { PLAN_NAMES, type PlanName } from '../../../config/config-values.js';
import type { Context } from '../../../system/context.js';
import { fieldPath } from '../../../config/secret-name.js';
import { hasForeignOwner } from '../../../files/ownership.js';
import { UsageError } from '../../../errors/usage-error.js';
import { readNameFrom } from './names.js';

/** The entries of the nearest `petstore.config.json` for custom domains. */
export interface DomainProject {
  /** Absolute path; `undefined` without such a file. */
  path?: string;
  target?: string;
  plan?: PlanName;
  /** Whether the project has a successful deploy. */
  deployed?: boolean;
  domains: readonly string[];
  redirects: readonly RedirectEntry[];
}

/** The parts of a session that reading needs. */
interface ProjectSession {
  context: Pick<Context, 'currentDirectory' | 'userId'>;
  warn: (text: string) => void;
}

/**
 * Reads the domain entries of the project file, whose JSON is already validated.
 *
 * @throws UsageError with the path of an invalid entry, such as `redirects[1].status`.
 */
export function readDomainProject({ context, warn }: ProjectSession): DomainProject {
  const file = readProjectFile(context.currentDirectory);
  if (file === undefined) return { domains: [], redirects: [] };
  // A warning only: the owner of a checkout in a container is often another user.
  if (hasForeignOwner(file, context) && FIELDS.some((name) => Object.hasOwn(file.content, name)))
    warn(`${file.path} sets the domains or redirects to check, but belongs to another user.`);
  const { path, content } = file;
  const invalid: InvalidField = (field, expected) =>
    new UsageError(
      `${field} in ${path} must be ${expected}`,
      'For an example, see: petstore help config',
      undefined,
      [{ file: path }],
    );
  const hostAt = (field: string, value: unknown): string => {
    const host = textAt(field, value, invalid);
    readNameFrom(`${field} in ${path}`, host);
    return host;
  };
  const { target, plan, deployed, domains = [], redirects = [] } = content;
  return {
    path,
    ...(target === undefined ? {} : { target: hostAt('target', target) }),
    ...(plan === undefined ? {} : { plan: planAt(plan, invalid) }),
    ...(deployed === undefined ? {} : { deployed: booleanAt('deployed', deployed, invalid) }),
    domains: listAt('domains', domains, invalid).map((entry, index) =>
      hostAt(`domains[${String(index)}]`, entry),
    ),
    redirects: listAt('redirects', redirects, invalid).map((entry, index) =>
      redirectAt(`redirects[${String(index)}]`, entry, { invalid, hostAt }),
    ),
  };
}

type InvalidField = (path: string, expected: string) => UsageError;
/** Validates a host at a path, and returns it as written. */
type HostAt = (field: string, value: unknown) => string;

const FIELDS = ['target', 'plan', 'deployed', 'domains', 'redirects'];

const REDIRECT_FIELDS: readonly string[] = ['from', 'to', 'status'];

function redirectAt(
  field: string,
  value: unknown,
  { invalid, hostAt }: { invalid: InvalidField; hostAt: HostAt },
): RedirectEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(field, 'an object with from, to and status');
  }
  const unknown = Object.keys(value).find((field) => !REDIRECT_FIELDS.includes(field));
  if (unknown !== undefined)
    throw invalid(fieldPath(field, unknown), 'removed: an entry has from, to and status');
  const { from, to, status } = value as Record<string, unknown>;
  if (typeof status !== 'number' || !Number.isInteger(status)) {
    throw invalid(`${field}.status`, 'a whole number such as 301');
  }
  return { from: hostAt(`${field}.from`, from), to: hostAt(`${field}.to`, to), status };
}

function textAt(field: string, value: unknown, invalid: InvalidField): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw invalid(field, 'a string that is not empty');
}

function booleanAt(field: string, value: unknown, invalid: InvalidField): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(field, 'true or false');
}

function listAt(field: string, value: unknown, invalid: InvalidField): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(field, 'a list');
}

function planAt(value: unknown, invalid: InvalidField): PlanName {
  const found = PLAN_NAMES.find((name) => typeof value === 'string' && name === value.toLowerCase());
  if (found !== undefined) return found;
  throw invalid('plan', `one of ${PLAN_NAMES.join(', ')}`);
}
