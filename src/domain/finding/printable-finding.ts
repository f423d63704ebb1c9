import type { Evidence, Finding, Fix, RecordFields } from './finding.js';
import { printable } from './printable.js';

/** A finding whose texts are safe to show, whatever DNS answered. The one place where that is seen to. */
export function printableFinding(finding: Finding): Finding {
  const { message, fix, evidence } = finding;
  return {
    ...finding,
    message: printable(message),
    ...(fix !== undefined && { fix: printableFix(fix) }),
    evidence: evidence.map(printableEvidence),
  };
}

/** The same of evidence that stands by itself. */
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
