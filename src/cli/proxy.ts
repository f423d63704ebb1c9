import { isLoopback } from './config.js';
import { type Context, variable } from './context.js';
import { UsageError } from './usage-error.js';

/**
 * The proxy that the environment asks for, or `undefined` for a direct connection. Lower-case names win, as in curl.
 * A loopback address is never sent to a proxy: plain http is allowed there because nobody else can read it.
 */
export function proxyFor(baseUrl: string, context: Pick<Context, 'env'>): string | undefined {
  const url = new URL(baseUrl);
  if (isLoopback(url.hostname)) return undefined;
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const proxy = either(context, `${scheme}_proxy`) ?? either(context, 'all_proxy');
  if (proxy === undefined || isExempt(url, either(context, 'no_proxy') ?? '')) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) {
    throw new UsageError(
      `the proxy that ${scheme.toUpperCase()}_PROXY names is not an http:// or https:// address`,
      'correct the variable, or name this host in NO_PROXY',
    );
  }
  return address;
}

function either(context: Pick<Context, 'env'>, name: string): string | undefined {
  return variable(context, name) ?? variable(context, name.toUpperCase());
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
