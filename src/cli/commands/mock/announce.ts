import { isLoopback } from '../../../client/internal.js';
import type { Session } from '../../session/session.js';
import { shellWord } from '../../errors/shell-word.js';
import type { MockOptions } from './mock-flags.js';
import type { MockAddress } from './ready-file.js';

/** Prints the `export` line on stdout, for `eval` in a shell, and the notes on stderr. */
export function announce(
  { url, baseUrl, keys, dns, web }: MockAddress,
  { host, plan, ui, controlHost }: Pick<MockOptions, 'host' | 'plan' | 'ui' | 'controlHost'>,
  session: Session,
): void {
  const [first = '', ...more] = keys;
  const lines = [`export PETSTORE_BASE_URL=${shellWord(baseUrl)} PETSTORE_API_KEY=${shellWord(first)}`];
  for (const key of more) lines.push(`# also valid: PETSTORE_API_KEY=${shellWord(key)}`);
  if (dns !== undefined) lines.push(...dnsLines(url, { dns, web }));
  session.note(`Mock service at ${baseUrl}, plan ${plan}. Press ^C to stop.`);
  const page = new URL('/__mock/', baseUrl);
  if (controlHost !== undefined) page.hostname = controlHost;
  // Without --control-host, only browsers on this machine can open it.
  if (ui && (controlHost !== undefined || isLoopback(host)))
    session.note(`Watch and control it at ${page.href}`);
  if (session.terminal.stdout.isTTY) session.note('In another terminal, run:');
  session.context.stdout.write(`${lines.join('\n')}\n`);
  if (!isLoopback(host)) {
    const more = controlHost === undefined ? '' : ' With --control-host, they can also control it.';
    session.warn(`With --host ${host}, other machines can reach the mock.${more}`);
  }
}

/** Returns shell comments with the flags for the domain commands. */
export function dnsLines(
  url: string,
  { dns, web }: { dns: NonNullable<MockAddress['dns']>; web: MockAddress['web'] | undefined },
): string[] {
  const { host, port, missingAddresses } = dns;
  const subject = 'shop.example.test --target cname.platform.test';
  const servers = `--resolver ${host}:${String(port)} --authoritative-port ${String(port)}`;
  const missing = missingAddresses.join(', ');
  const lines = [`# DNS: petstore domain verify ${subject} --no-certificate ${servers}`];
  if (web !== undefined) {
    const ports = `--https-port ${String(web.httpsPort)} --http-port ${String(web.httpPort)}`;
    lines.push(
      `# Certificates: curl -so mock-ca.pem ${url}/__mock/ca.pem`,
      `#   petstore domain cert ${subject} ${servers} --connect ${web.host} ${ports} --ca mock-ca.pem`,
    );
  }
  if (missing !== '')
    lines.push(`# This machine does not have ${missing}. The name servers there use ${host} instead.`);
  return lines;
}
