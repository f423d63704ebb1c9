import { isLoopback } from '../../config/base-url.js';
import type { Session } from '../../session/action.js';
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
  session.note(`Mock service at ${baseUrl}, plan ${plan}. Press ^C to stop.`);
  if (session.terminal.stdout.isTTY) session.note('In another terminal, run:');
  session.context.stdout.write(`${lines.join('\n')}\n`);
  if (!isLoopback(host)) {
    session.warn(`With --host ${host}, other machines can reach the mock.`);
  }
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
