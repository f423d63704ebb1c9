import type { Evidence, Finding, Fix, RecordFields } from './finding.js';
import { printable } from './printable.js';

/** Makes the texts of a finding safe to print. They may contain untrusted data from DNS. */
export function printableFinding(finding: Finding): Finding {
  const { message, fix, evidence } = finding;
  return {
    ...finding,
    message: printable(message),
    ...(fix !== undefined && { fix: printableFix(fix) }),
    evidence: evidence.map(printableEvidence),
  };
}

/** Makes the texts of evidence safe to print. */
export function printableEvidence({ text, command }: Evidence): Evidence {
  return { text: printable(text), ...(command !== undefined && { command: printable(command) }) };
}

function printableFix({ action, text, records }: Fix): Fix {
  return { action, text: printable(text), records: records.map(printableRecord) };
}

function printableRecord(record: RecordFields): RecordFields {
  const { type, name, label, value } = record;
  return { ...record, type, name: printable(name), label: printable(label), value: printable(value) };
}
