import type { Finding } from '../../../domain/index.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import type { ProbeFlags } from './domain-flags.js';

/** Removes the commands of the evidence that query the servers of --mock, which end with the command. */
export function runnableFindings(
  findings: readonly Finding[],
  { connect }: ProbeFlags,
  { mock }: Pick<GlobalOptions, 'mock'>,
): readonly Finding[] {
  if (!mock) return findings;
  const isRunnable = (command: string): boolean => connect !== undefined && !command.startsWith('dig ');
  return findings.map((finding) => ({
    ...finding,
    evidence: finding.evidence.map(({ text, command }) =>
      command !== undefined && isRunnable(command) ? { text, command } : { text },
    ),
  }));
}
