import type { JournalEntry } from '../../../mock/index.js';
import { isLoopback } from '../../config/settings.js';
import { toTerminalLine } from '../../output/index.js';
import type { Session } from '../../session/action.js';
import { timeOfDay } from '../../text/duration.js';
import { shellWord } from '../../text/shell-word.js';
import type { MockAddress } from './ready-file.js';

/** Prints the `export` line on stdout, for `eval` in a shell, and the notes on stderr. */
export function announce(
  { baseUrl, keys, dns }: Pick<MockAddress, 'baseUrl' | 'keys' | 'dns'>,
  { host, plan }: { host: string; plan: string },
  session: Session,
): void {
  const [first = '', ...more] = keys;
  const lines = [`export PETSTORE_BASE_URL=${shellWord(baseUrl)} PETSTORE_API_KEY=${shellWord(first)}`];
  for (const key of more) lines.push(`# also valid: PETSTORE_API_KEY=${shellWord(key)}`);
  if (dns !== undefined) lines.push(...dnsLines(dns));
  session.context.stdout.write(`${lines.join('\n')}\n`);
  if (!isLoopback(host)) {
    session.warn(`With --host ${host}, other machines can reach the mock.`);
  }
  session.note(`Mock service at ${baseUrl}, plan ${plan}. Press ^C to stop.`);
}

/** Returns shell comments with the flags for `petstore domain verify`. */
export function dnsLines({ host, port, missingAddresses }: NonNullable<MockAddress['dns']>): string[] {
  const flags = `--resolver ${host}:${String(port)} --authoritative-port ${String(port)}`;
  const command = `petstore domain verify shop.example.test --target cname.platform.test --no-certificate`;
  const missing = missingAddresses.join(', ');
  return [
    `# DNS: ${command} ${flags}`,
    ...(missing === ''
      ? []
      : [`# This machine does not have ${missing}. The name servers there use ${host} instead.`]),
  ];
}

/** Returns a function that writes one line for each request to stderr. */
export function createRequestLog({ context, global }: Session): (entry: JournalEntry) => void {
  if (global.quiet) return () => undefined;
  return ({ at, method, path, query, status, fault }) => {
    const target = query === '' ? path : `${path}?${query}`;
    const outcome = status === undefined ? 'no response' : String(status);
    const line = `${timeOfDay(at.getTime())} ${method} ${target} ${outcome}${fault === undefined ? '' : ` (${fault})`}`;
    context.stderr.write(`${toTerminalLine(line)}\n`);
  };
}
