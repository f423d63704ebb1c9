import { type Check, findListProblem, mustBe, type Problem } from '../../options/check-options.js';

/** What the web server of a host serves. The default is a valid certificate, and pages. */
export interface Site {
  /**
   * - `none`: no TLS.
   * - `unissued`: the platform's own certificate, because the host has none yet.
   * - `other-name`: the certificate of another host.
   *
   * @default 'valid'
   */
  certificate?: 'valid' | 'expired' | 'expiring' | 'self-signed' | 'other-name' | 'unissued' | 'none';
  redirect?: SiteRedirect;
  /** More headers of every response. */
  headers?: Readonly<Record<string, string>>;
}

/** How a host redirects. */
export interface SiteRedirect {
  /** Host name. */
  to: string;
  status: number;
  /** @default 'https' */
  scheme?: 'http' | 'https';
  /**
   * Whether path and query are kept.
   *
   * @default true
   */
  keepsPath?: boolean;
}

const REDIRECT: SiteRedirect = { to: 'example.test', status: 301 };

/** The sites of the built-in names that are not healthy, or that redirect. */
const SITES: Readonly<Record<string, Site>> = {
  'www.example.test': { redirect: REDIRECT },
  'cert-pending.example.test': { certificate: 'unissued' },
  'cert-expired.example.test': { certificate: 'expired' },
  'cert-expiring.example.test': { certificate: 'expiring' },
  'cert-wrong-name.example.test': { certificate: 'other-name' },
  'cert-self-signed.example.test': { certificate: 'self-signed' },
  'no-tls.example.test': { certificate: 'none' },
  // CAA does not allow the authority of the platform.
  'shop.caa-blocked.test': { certificate: 'unissued' },
  'shop.caa-critical.test': { certificate: 'unissued' },
  'shop.caa-failing.test': { certificate: 'unissued' },
  'redirect-status.example.test': { redirect: { ...REDIRECT, status: 302 } },
  'redirect-target.example.test': { redirect: { ...REDIRECT, to: 'www.elsewhere.test' } },
  'redirect-missing.example.test': {},
  'redirect-loop.example.test': { redirect: { ...REDIRECT, to: 'redirect-loop.example.test' } },
  'redirect-downgrade.example.test': { redirect: { ...REDIRECT, scheme: 'http' } },
  'redirect-no-cert.example.test': { certificate: 'unissued', redirect: REDIRECT },
  'redirect-no-path.example.test': { redirect: { ...REDIRECT, keepsPath: false } },
};

/**
 * Returns the sites of the platform.
 *
 * @param redirects entries for other hosts than those of the built-in sites.
 */
export function sitesWith(redirects: readonly RedirectSite[]): (host: string) => Site {
  const entries = redirects.map(({ from, to, status }): [string, Site] => [
    asciiHost(from),
    { redirect: { to: asciiHost(to), status } },
  ]);
  const sites = new Map([...entries, ...Object.entries(SITES)]);
  return (host) => {
    const isPlatform = host === 'platform.test' || host.endsWith('.platform.test');
    return sites.get(host) ?? (isPlatform ? { certificate: 'unissued' } : {});
  };
}

/** Returns a host name as it is in headers: in A-labels and lower case, without a final dot. */
function asciiHost(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
}

/** A redirect entry of a project. */
export interface RedirectSite {
  /** Host name. */
  from: string;
  /** Host name. */
  to: string;
  /** 301, 302, 303, 307 or 308. */
  status: number;
}

const HOST = mustBe(
  'a host name, such as www.example.test',
  (value) => typeof value === 'string' && /^[^\s/:?#@\\]+$/.test(value) && asciiHost(value) !== '',
);
const REDIRECT_CHECKS = {
  from: HOST,
  to: HOST,
  status: mustBe('301, 302, 303, 307 or 308', (value) => [301, 302, 303, 307, 308].includes(value as number)),
} satisfies Record<keyof RedirectSite, Check>;

/** Checks the option `redirects`: each entry, and that no two are for one host. */
export function checkRedirectSites(value: unknown, field: string): Problem | undefined {
  const problem = findListProblem(value, REDIRECT_CHECKS, {
    field,
    description: 'a list of redirect entries',
  });
  if (problem !== undefined) return problem;
  const hosts = new Set<string>();
  for (const { from } of value as readonly RedirectSite[]) {
    const host = asciiHost(from);
    if (hosts.has(host)) return { field, message: `${host} occurs twice in ${field}` };
    hosts.add(host);
  }
  return undefined;
}

/** The redirect entries that the built-in names should have. */
export const BUILT_IN_REDIRECTS: readonly RedirectSite[] = Object.keys(SITES)
  .filter((name) => /^(?:www|redirect-)/.test(name))
  .map((from) => ({ from, to: REDIRECT.to, status: REDIRECT.status }));
