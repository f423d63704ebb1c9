import { checkArgument } from '../../options/check-argument.js';
import { isObject, mustBeListOf } from '../../options/check-options.js';
import type { Change, Finding, RecordFields } from './finding.js';

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
export function recordChanges(findings: readonly Finding[]): Change {
  checkFindings(findings);
  const fixes = findings
    .filter(({ severity }) => severity === 'block' || severity === 'warn')
    .flatMap(({ fix }) => fix ?? []);
  return {
    remove: distinctFields(fixes.flatMap(({ remove }) => remove)),
    add: distinctFields(fixes.flatMap(({ add }) => add)),
  };
}

/** Whether an advice adds or removes a record. */
export function changesRecords(fix: Change | undefined): boolean {
  return fix !== undefined && fix.remove.length + fix.add.length > 0;
}

/** @throws InvalidInputError if the findings are not a list of findings. */
export function checkFindings(findings: unknown): void {
  checkArgument(findings, 'findings', mustBeFindings);
}

const mustBeFindings = mustBeListOf('a list of findings', isObject);

function distinctFields<T extends RecordFields>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [fieldsKey(record), record])).values()];
}

/** Equal for the same record, whatever its TTL. */
export function fieldsKey({ type, name, value }: RecordFields): string {
  return JSON.stringify([type, name.toLowerCase(), value]);
}
