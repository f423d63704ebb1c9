import { isIP } from 'node:net';
import type { Session } from '../../session/action.js';
import { readCertificates } from '../../network/authorities.js';
import { decideProxy } from '../../network/proxy.js';
import { isLoopback } from '../../config/base-url.js';
import { variable } from '../../system/context.js';
import { endpointOf } from '../../system/endpoint.js';
import { withTimeLimit } from '../../system/time-limit.js';
import {
  attempt,
  type Check,
  failedCheck,
  isKnown,
  isProblem,
  isSkipped,
  type Problem,
  type Skipped,
  skippedCheck,
} from './check.js';
import type { Setup } from './setup.js';

/** The proxy without its password, or the proxy of the environment and why this host bypasses it. */
export type ProxyFact =
  | { address: string; hasLogin: boolean; from: string }
  | { from: string; because: { variable: string; entry: string } | 'loopback' };

export async function readProxy(
  { baseUrl }: Setup,
  { context }: Session,
): Promise<ProxyFact | Problem | Skipped | 'none'> {
  if (!isKnown(baseUrl)) return { skipped: 'no base URL' };
  return attempt(() => {
    const proxy = decideProxy(baseUrl.url, context);
    if (proxy === undefined) return 'none';
    if ('because' in proxy) return proxy;
    const { protocol, host, username, password } = new URL(proxy.url);
    return { address: `${protocol}//${host}`, hasLogin: username + password !== '', from: proxy.from };
  });
}

export function proxyCheck(proxy: Awaited<ReturnType<typeof readProxy>>): Check {
  const id = 'proxy';
  if (proxy === 'none') return { id, state: 'ok', finding: 'none' };
  if (isSkipped(proxy)) return skippedCheck(id, proxy.skipped);
  if (isProblem(proxy)) return failedCheck(id, proxy, 'petstore help environment');
  if ('because' in proxy) {
    const { because, from } = proxy;
    const why =
      because === 'loopback'
        ? 'the base URL is on this machine'
        : `${because.variable} contains ${JSON.stringify(because.entry)}`;
    return { id, state: 'ok', finding: `the proxy of ${from} is not used: ${why}`, details: proxy };
  }
  const login = proxy.hasLogin ? ' with a login' : '';
  return { id, state: 'ok', finding: `${proxy.address}${login}, from ${proxy.from}`, details: proxy };
}

/** A file of certificate authorities, with the number of its certificates. */
export type AuthorityFile = { source: '--ca' | 'NODE_EXTRA_CA_CERTS'; file: string } & (
  { certificates: number } | Problem
);

export async function readAuthorityFiles({ global, context }: Session): Promise<AuthorityFile[]> {
  const named = [
    { source: '--ca', file: global.caFile },
    { source: 'NODE_EXTRA_CA_CERTS', file: variable(context, 'NODE_EXTRA_CA_CERTS') },
  ] as const;
  const files: AuthorityFile[] = [];
  for (const { source, file } of named) {
    if (file === undefined) continue;
    const result = await attempt(async () => {
      const text = await readCertificates(source, file, context);
      return { certificates: text.split('-----BEGIN').length - 1 };
    });
    files.push({ source, file, ...result });
  }
  return files;
}

export function authoritiesCheck(files: readonly AuthorityFile[]): Check {
  const id = 'authorities';
  if (files.length === 0) return { id, state: 'ok', finding: "Node's built-in authorities" };
  const details = {
    files: files.map((file) => ({
      source: file.source,
      file: file.file,
      certificates: 'certificates' in file ? file.certificates : null,
    })),
  };
  const invalid = files.filter((file) => isProblem(file));
  if (invalid.length === 0) {
    const more = files.map(({ source, file }) => `${file} (${source})`).join(' and ');
    return { id, state: 'ok', finding: `Node's built-in authorities, and ${more}`, details };
  }
  // An invalid --ca stops every command. Node ignores an invalid NODE_EXTRA_CA_CERTS.
  const state = invalid.some(({ source }) => source === '--ca') ? 'failed' : 'warn';
  const finding = invalid.map(({ problem }) => problem).join('; ');
  const remedy = invalid
    .map(
      ({ source, hint = 'Check the file.' }) =>
        `${hint} Or ${source === '--ca' ? 'remove --ca' : `unset ${source}`}.`,
    )
    .join(' ');
  return { id, state, finding, remedy, details };
}

const DNS_TIMEOUT_MS = 5_000;

type DnsResult = { resolver: string } & ({ addresses: readonly string[] } | { code: string });

/** Queries each DNS server of this machine for the host of the base URL, all at the same time. */
export async function resolversCheck(
  setup: Setup,
  proxy: Awaited<ReturnType<typeof readProxy>>,
  offline: boolean,
  session: Session,
): Promise<Check> {
  const id = 'resolvers';
  const { context } = session;
  const dns = await context.dnsServers();
  const servers = dns.list();
  if (servers.length === 0) {
    const remedy = 'For the domain commands, name a resolver: --resolver 9.9.9.9';
    return { id, state: 'warn', finding: 'this machine has no DNS servers', remedy };
  }
  const name = hostToResolve(setup, proxy, offline, session);
  if (typeof name !== 'string') {
    const finding = `${servers.join(', ')}; not queried: ${name.skipped}`;
    return { id, state: 'ok', finding, details: { servers, host: null, answers: null } };
  }
  const query = async (resolver: string): Promise<DnsResult> => {
    try {
      const addresses = await withTimeLimit(DNS_TIMEOUT_MS, context, (signal) =>
        dns.resolve(name, resolver, signal),
      );
      return { resolver, addresses };
    } catch (error) {
      return { resolver, code: error instanceof Error ? error.message : String(error) };
    }
  };
  const answers = await Promise.all(servers.map(query));
  const details = { servers, host: name, answers };
  const finding = answers.map((answer) => describeResult(answer, name)).join('; ');
  const failed = answers.filter((answer) => 'code' in answer && !NO_ADDRESS_CODES.has(answer.code));
  if (failed.length === 0) return { id, state: 'ok', finding, details };
  const remedy = `Fix ${failed.map(({ resolver }) => resolver).join(' and ')}, or remove it from the network settings (on Linux /etc/resolv.conf).`;
  return { id, state: 'warn', finding, remedy, details };
}

/** Returns the host to query. Skips names that a DNS server can't resolve, and names that must stay private. */
function hostToResolve(
  { baseUrl }: Setup,
  proxy: Awaited<ReturnType<typeof readProxy>>,
  offline: boolean,
  session: Session,
): string | Skipped {
  if (offline) return { skipped: '--offline' };
  if (session.global.mock) return { skipped: 'not needed with --mock' };
  if (session.recorder !== undefined) return { skipped: 'nothing is sent' };
  if (!isKnown(baseUrl)) return { skipped: 'no base URL' };
  const { host } = endpointOf(new URL(baseUrl.url));
  if (isIP(host) !== 0) return { skipped: 'the base URL contains an IP address' };
  if (isLoopback(host)) return { skipped: 'the base URL is on this machine' };
  if (typeof proxy === 'object' && 'address' in proxy) return { skipped: `the proxy resolves ${host}` };
  return host.includes('.') ? host : { skipped: `${host} is a local name` };
}

/** Codes of a server that responds and has no address. */
const NO_ADDRESS_CODES = new Set(['ENOTFOUND', 'ENODATA']);

function describeResult(answer: DnsResult, name: string): string {
  const { resolver } = answer;
  if ('addresses' in answer) return `${resolver}: ${name} is ${answer.addresses.join(', ')}`;
  if (NO_ADDRESS_CODES.has(answer.code)) return `${resolver}: no address of ${name}`;
  return `${resolver}: no response for ${name} (${answer.code})`;
}
