import type { RedirectEntry } from '../../../domain/index.js';
import { readProjectFile } from '../../config/config-files.js';
import { PLAN_NAMES, type PlanName } from '../../config/config-values.js';
import type { Context } from '../../system/context.js';
import { fieldPath } from '../../config/field-path.js';
import { hasForeignOwner } from '../../files/ownership.js';
import { UsageError } from '../../errors/usage-error.js';
import { readNameFrom } from './report/names.js';

/** What the nearest `petstore.config.json` says of custom domains. */
export interface DomainProject {
  /** Absolute; `undefined` where there is no such file. */
  path?: string;
  target?: string;
  plan?: PlanName;
  /** Whether the project has a successful deploy. */
  deployed?: boolean;
  domains: readonly string[];
  redirects: readonly RedirectEntry[];
}

/** Of a session, what is used here. */
interface Asker {
  context: Pick<Context, 'currentDirectory' | 'userId'>;
  warn: (text: string) => void;
}

/**
 * Reads the domain entries of the project file. Whether it is JSON and what it may hold has been looked at by then; here
 * are the shapes of these entries.
 *
 * @throws UsageError with the path to what is wrong, such as `redirects[1].status`.
 */
export function readDomainProject({ context, warn }: Asker): DomainProject {
  const file = readProjectFile(context.currentDirectory);
  if (file === undefined) return { domains: [], redirects: [] };
  // Containers mount checkouts of other owners: it is told, and not refused.
  if (hasForeignOwner(file, context) && FIELDS.some((name) => Object.hasOwn(file.content, name)))
    warn(`${file.path}, which belongs to another user, says what is checked`);
  const { path, content } = file;
  const fault: Fault = (where, wanted) =>
    new UsageError(`${where} in ${path} must be ${wanted}`, 'petstore help config shows an example');
  const hostAt = (where: string, value: unknown): string => {
    const host = textAt(where, value, fault);
    readNameFrom(`${where} in ${path}`, host);
    return host;
  };
  const { target, plan, deployed, domains = [], redirects = [] } = content;
  return {
    path,
    ...(target === undefined ? {} : { target: hostAt('target', target) }),
    ...(plan === undefined ? {} : { plan: planAt(plan, fault) }),
    ...(deployed === undefined ? {} : { deployed: booleanAt('deployed', deployed, fault) }),
    domains: listAt('domains', domains, fault).map((entry, index) =>
      hostAt(`domains[${String(index)}]`, entry),
    ),
    redirects: listAt('redirects', redirects, fault).map((entry, index) =>
      redirectAt(`redirects[${String(index)}]`, entry, { fault, hostAt }),
    ),
  };
}

type Fault = (where: string, wanted: string) => UsageError;
/** Reads a host at a place, as it is written there. */
type HostAt = (where: string, value: unknown) => string;

const FIELDS = ['target', 'plan', 'deployed', 'domains', 'redirects'];

const REDIRECT_FIELDS: readonly string[] = ['from', 'to', 'status'];

function redirectAt(
  where: string,
  value: unknown,
  { fault, hostAt }: { fault: Fault; hostAt: HostAt },
): RedirectEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault(where, 'an object with from, to and status');
  }
  const unknown = Object.keys(value).find((field) => !REDIRECT_FIELDS.includes(field));
  if (unknown !== undefined)
    throw fault(fieldPath(where, unknown), 'left out: an entry has from, to and status');
  const { from, to, status } = value as Record<string, unknown>;
  if (typeof status !== 'number' || !Number.isInteger(status)) {
    throw fault(`${where}.status`, 'a whole number such as 301');
  }
  return { from: hostAt(`${where}.from`, from), to: hostAt(`${where}.to`, to), status };
}

function textAt(where: string, value: unknown, fault: Fault): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw fault(where, 'a string that is not empty');
}

function booleanAt(where: string, value: unknown, fault: Fault): boolean {
  if (typeof value === 'boolean') return value;
  throw fault(where, 'true or false');
}

function listAt(where: string, value: unknown, fault: Fault): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw fault(where, 'a list');
}

function planAt(value: unknown, fault: Fault): PlanName {
  const found = PLAN_NAMES.find((name) => typeof value === 'string' && name === value.toLowerCase());
  if (found !== undefined) return found;
  throw fault('plan', `one of ${PLAN_NAMES.join(', ')}`);
}
