import { endpointOf } from '../system/endpoint.js';
import { readAuthorities } from './authorities.js';
import { isLoopback } from '../config/settings.js';
import { type Context, type NetworkSettings, variable } from '../system/context.js';
import type { NamedProxy } from '../errors/exit.js';
import { UsageError } from '../errors/usage-error.js';

/** How an address is reached: by the proxy of the environment, trusting whom `--ca` names besides. */
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

/** A proxy that the environment asks for. */
export interface ChosenProxy {
  /** May hold a password. */
  url: string;
  /** The variable that names it. */
  from: string;
}

/** The proxy that an address was asked for through, to be named in what went wrong there. */
export function namedProxy(url: string, context: Pick<Context, 'env'>): NamedProxy | undefined {
  const proxy = URL.canParse(url) ? proxyFor(url, context) : undefined;
  return proxy && { address: new URL(proxy.url).host, from: proxy.from };
}

/** A proxy that the environment names, and is not asked. */
export interface BypassedProxy {
  /** The variable that names it. */
  from: string;
  /** Why: the entry of `NO_PROXY` that has this host go without, or that the address is one of this machine. */
  because: { variable: string; entry: string } | 'loopback';
}

/**
 * The proxy that the environment asks for, or `undefined` for a direct connection.
 *
 * @throws UsageError for one that can't be spoken to.
 */
export function proxyFor(baseUrl: string, context: Pick<Context, 'env'>): ChosenProxy | undefined {
  const decided = decideProxy(baseUrl, context);
  return decided !== undefined && 'url' in decided ? decided : undefined;
}

/**
 * What the environment says of a proxy; `undefined` where it names none. Lower-case names win, as in curl. A loopback
 * address is never sent to a proxy: plain http is allowed there because nobody else can read it.
 *
 * @throws UsageError for one that can't be spoken to, where it is wanted.
 */
export function decideProxy(
  baseUrl: string,
  context: Pick<Context, 'env'>,
): ChosenProxy | BypassedProxy | undefined {
  const url = new URL(baseUrl);
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const found = either(context, `${scheme}_proxy`) ?? either(context, 'all_proxy');
  if (found === undefined) return undefined;
  const { name: from, value } = found;
  if (isLoopback(url.hostname)) return { from, because: 'loopback' };
  const exemptions = either(context, 'no_proxy');
  const entry = exemptions && exemptionOf(url, exemptions.value);
  if (entry !== undefined) return { from, because: { variable: exemptions?.name ?? 'NO_PROXY', entry } };
  return { url: checkedAddress(value, from), from };
}

function checkedAddress(value: string, from: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const remedy = 'correct the variable, or name this host in NO_PROXY';
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    throw new UsageError(`the proxy that ${from} names is not an http:// or https:// address`, remedy);
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(`${username}:${password}`);
  } catch {
    // Without the cause: its text may quote the password.
    throw new UsageError(`the login in ${from} holds a % that is not followed by two digits`, remedy);
  }
  return address;
}

function either(context: Pick<Context, 'env'>, name: string): { name: string; value: string } | undefined {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = variable(context, spelling);
    if (value !== undefined) return { name: spelling, value };
  }
  return undefined;
}

/** `NO_PROXY`: names with their sub-domains, with or without a leading dot, an optional port, or `*` for all. */
function exemptionOf(url: URL, list: string): string | undefined {
  const { port } = endpointOf(url);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .find((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort] = /^\.?(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*\./, '')) ?? [];
      if (name === '' || (wantedPort !== undefined && Number(wantedPort) !== port)) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}
