import type { Session } from './action.js';
import { readAuthorities } from './authorities.js';
import { isLoopback } from './config.js';
import { type Context, type NetworkWay, variable } from './context.js';
import { UsageError } from './usage-error.js';

/** How an address is reached: by the proxy of the environment, trusting whom `--ca` names besides. */
export async function networkWay(
  baseUrl: string,
  { global, context }: Pick<Session, 'global' | 'context'>,
): Promise<NetworkWay> {
  const proxy = proxyFor(baseUrl, context);
  const authorities = await readAuthorities(global.caFile, context);
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

/**
 * The proxy that the environment asks for, or `undefined` for a direct connection. Lower-case names win, as in curl.
 * A loopback address is never sent to a proxy: plain http is allowed there because nobody else can read it.
 */
export function proxyFor(baseUrl: string, context: Pick<Context, 'env'>): ChosenProxy | undefined {
  const url = new URL(baseUrl);
  if (isLoopback(url.hostname)) return undefined;
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const found = either(context, `${scheme}_proxy`) ?? either(context, 'all_proxy');
  if (found === undefined || isExempt(url, either(context, 'no_proxy')?.value ?? '')) return undefined;
  const { name: from, value } = found;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) {
    throw new UsageError(
      `the proxy that ${from} names is not an http:// or https:// address`,
      'correct the variable, or name this host in NO_PROXY',
    );
  }
  return { url: address, from };
}

function either(context: Pick<Context, 'env'>, name: string): { name: string; value: string } | undefined {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = variable(context, spelling);
    if (value !== undefined) return { name: spelling, value };
  }
  return undefined;
}

/** `NO_PROXY`: names with their sub-domains, with or without a leading dot, an optional port, or `*` for all. */
function isExempt(url: URL, list: string): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort] = /^\.?(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*\./, '')) ?? [];
      if (name === '' || (wantedPort !== undefined && wantedPort !== port)) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}
