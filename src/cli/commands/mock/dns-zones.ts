import type { Context } from '../../system/context.js';
import { readInput } from '../../files/input-file.js';

/** Where a mock's DNS is. */
export interface DnsAddress {
  /** Where to ask: the recursive resolver, and the first of the name servers. */
  host: string;
  port: number;
  /** The loopback addresses of its name servers. */
  addresses: readonly string[];
  /** Those that this machine does not have. */
  missingAddresses: readonly string[];
}

/** Reads zone files. @throws UsageError where one can't be read. */
export async function readZones(files: readonly string[], context: Context): Promise<string[]> {
  const inputs = await Promise.all(files.map((file) => readInput(file, context)));
  return inputs.map(({ text }) => text);
}

/** What a shell may evaluate beside the `export` line: comments with the flags to use. */
export function dnsLines({ host, port, missingAddresses }: DnsAddress): string[] {
  const where = `--resolver ${host}:${String(port)} --authoritative-port ${String(port)}`;
  const command = `petstore domain verify shop.example.test --target cname.platform.test --no-certificate`;
  const missing = missingAddresses.join(', ');
  return [
    `# DNS: ${command} ${where}`,
    ...(missing === ''
      ? []
      : [`# this machine has no ${missing}: name servers there are at ${host} instead`]),
  ];
}
