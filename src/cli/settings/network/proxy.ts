import { endpointOf } from '../../system/endpoint.js';
import { readAuthorities } from './authorities.js';
import { isLoopback } from '../../../client/internal.js';
import { type Context, isInQuotes, type NetworkSettings, variable } from '../../system/context.js';
import type { NamedProxy } from '../../errors/describe-failure.js';
import { UsageError } from '../../errors/usage-error.js';

/** The proxy from the environment and the certificate authorities of `--ca`. */
export async function networkSettings(
  baseUrl: string,
  caFile: string | undefined,
  context: Context,
): Promise<NetworkSettings> {
  const proxy = proxyFor(baseUrl, context);
  const authorities = await readAuthorities(caFile, context);
  return {
    ...(proxy === undefined ? {} : { proxyUrl: proxy.url }),
    ...(authorities === undefined ? {} : { authorities }),
  };
}

/** The proxy for a URL, for error messages. */
export function namedProxy(url: string, context: Pick<Context, 'env'>): NamedProxy | undefined {
  const proxy = URL.canParse(url) ? proxyFor(url, context) : undefined;
  return proxy && { address: new URL(proxy.url).host, from: proxy.from };
}

/**
 * The proxy from the environment; `undefined` for a direct connection. Lower-case names win, as in curl. A loopback address
 * is never requested through a proxy, because plain http is allowed for it.
 *
 * @returns its address, which may contain a password, and the variable that names it.
 * @throws UsageError if its address is invalid.
 */
export function proxyFor(baseUrl: string, context: Pick<Context, 'env'>) {
  const url = new URL(baseUrl);
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const found = lowerOrUpper(context, `${scheme}_proxy`) ?? lowerOrUpper(context, 'all_proxy');
  if (found === undefined || isLoopback(url.hostname)) return undefined;
  const exemptions = lowerOrUpper(context, 'no_proxy')?.value ?? '';
  if (isExempt(url, exemptions)) return undefined;
  return { url: checkedAddress(found.value, found.name), from: found.name };
}

function checkedAddress(value: string, from: string): string {
  if (isInQuotes(value))
    throw new UsageError(`${from} is in quotes, which are part of the value`, 'Remove the quotes.');
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const remedy = 'Correct the variable, or add this host to NO_PROXY.';
  // A URL ends the host at these characters, so a part of the login would be the host: shown, and sent to name servers.
  const [, login = ''] = /^[^:]*:\/\/(.*)@/s.exec(address) ?? [];
  if (/[#?/\\]/.test(login)) {
    throw new UsageError(
      `The login in ${from} contains #, ?, / or \\, which ends it`,
      'Encode the character in the variable: # as %23, ? as %3F, / as %2F, \\ as %5C.',
    );
  }
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    throw new UsageError(`The proxy in ${from} is not an http:// or https:// address`, remedy);
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(`${username}:${password}`);
  } catch {
    // No cause: its message may contain the password.
    throw new UsageError(`The login in ${from} contains a % without two hexadecimal digits`, remedy);
  }
  return address;
}

function lowerOrUpper(
  context: Pick<Context, 'env'>,
  name: string,
): { name: string; value: string } | undefined {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = variable(context, spelling);
    if (value !== undefined) return { name: spelling, value };
  }
  return undefined;
}

/**
 * `NO_PROXY` lists names (sub-domains included, a leading dot is optional) with an optional port, prefixes of addresses
 * such as `10.0.0.0/8`, or `*` for all.
 */
function isExempt(url: URL, list: string): boolean {
  const { port } = endpointOf(url);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*' || isInPrefix(url.hostname, entry)) return true;
      const [, name = '', wantedPort] = /^\.?(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*\./, '')) ?? [];
      if (name === '' || (wantedPort !== undefined && Number(wantedPort) !== port)) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}

/** Whether a host is an address within a prefix (RFC 4632). */
function isInPrefix(hostname: string, entry: string): boolean {
  const [, network = '', length = ''] = /^([\d.]+|[\da-f:.]+:[\da-f:.]*)\/(\d{1,3})$/.exec(entry) ?? [];
  if (length === '') return false;
  // Not an import: few lists have a prefix.
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(network);
  if (version === 0 || isIP(address) !== version || Number(length) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = new BlockList();
  prefix.addSubnet(network, Number(length), family);
  return prefix.check(address, family);
}
