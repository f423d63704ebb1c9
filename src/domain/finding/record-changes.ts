import { checkArgument } from '../../options/check-argument.js';
import { isObject, mustBeListOf } from '../../options/check-options.js';
import type { Finding, RecordFields } from './finding.js';

/** The records that fix the findings of a domain. */
export interface RecordChanges {
  /** Records to remove, without `ttl`. */
  remove: readonly RecordFields[];
  /** Records to add, or to keep in this form, with `ttl` in seconds. */
  add: readonly RecordFields[];
}

/**
 * Collects the records that the fixes of blocking findings and of warnings remove and add. The only source of such lists:
 * a report and a record plan of the same domain name the same records.
 *
 * @param findings Findings of one or more domains, such as those of a report.
 * @returns Each record once, in the order of the findings. Empty lists if no record has to change.
 * @throws InvalidInputError if the findings are not a list of findings.
 * @example
 * const { findings } = await checkDomain({ domain: 'shop.example.com', target: 'cname.example.net' });
 * const { remove, add } = recordChanges(findings);
 * for (const { type, name, value } of remove) console.log(`Remove ${type} ${name} ${value}`);
 * for (const { type, name, value } of add) console.log(`Add ${type} ${name} ${value}`);
 */
export function recordChanges(findings: readonly Finding[]): RecordChanges {
  checkFindings(findings);
  const records = findings
    .filter(({ severity }) => severity === 'block' || severity === 'warn')
    .flatMap(({ fix }) => fix?.records ?? []);
  return {
    remove: distinctFields(records.filter(({ ttl }) => ttl === undefined)),
    add: distinctFields(records.filter(({ ttl }) => ttl !== undefined)),
  };
}

/** @throws InvalidInputError if the findings are not a list of findings. */
export function checkFindings(findings: unknown): void {
  checkArgument(findings, 'findings', mustBeFindings);
}

const mustBeFindings = mustBeListOf('a list of findings', isObject);

function distinctFields(records: readonly RecordFields[]): RecordFields[] {
  return [...new Map(records.map((record) => [fieldsKey(record), record])).values()];
}

/** Equal for the same record, whatever its TTL. */
export function fieldsKey({ type, name, value }: RecordFields): string {
  return JSON.stringify([type, name.toLowerCase(), value]);
}
