import { createLimiter } from '../dns/concurrency/limiter.js';
import { HTTPS_PORT } from './probe-certificate.js';
import { probeAddresses } from './probe-addresses.js';
import type { ProbeFailure, ProbeLimits } from './probe-failure.js';
import { secureContextFor } from './probe-tls.js';
import { requestHttp } from './request-http.js';
import type { ProbeRequest, Site } from './probe-request.js';

/** The responses of the domain and of the target to the same HTTPS request. */
export interface PlatformFacts {
  /** ASCII. */
  domain: string;
  target: string;
  port: number;
  /** One for each address. Empty without an address. */
  ofDomain: readonly SiteResponse[];
  ofTarget: readonly SiteResponse[];
}

/** The response of one address. Texts are untrusted. */
export interface SiteResponse {
  address: string;
  /** HTTP status, or why there was no response. */
  response: { kind: 'response'; status: number } | ProbeFailure;
  /** Fingerprint of the certificate, SHA-256. */
  fingerprint?: string;
  /** Subject of the certificate, safe to print. */
  subject?: string;
  /** Headers that identify the operator, by lower-case name. */
  headers: ReadonlyMap<string, string>;
}

const CONNECTIONS_MAX = 4;
/** Addresses probed of each name. All of the domain's must belong to the platform. */
const ADDRESSES_MAX = 8;
const HEADER_SHOWN_MAX = 200;

/**
 * Requests `/` over HTTPS from every address of the domain and of the target. Sends no key and no cookies, follows no
 * redirects, and reads only the head of each response.
 *
 * @throws InvalidInputError if the certificate authorities of `ca` can't be read.
 */
export async function probePlatform(
  { domain, addresses, target }: Site & { target: string },
  request: ProbeRequest,
  limits: ProbeLimits,
): Promise<PlatformFacts> {
  const { probe } = request;
  const trust = secureContextFor(probe.ca);
  const port = probe.httpsPort ?? HTTPS_PORT;
  const { route } = limits;
  const limiter = createLimiter(CONNECTIONS_MAX);
  const responsesOf = async (
    host: string,
    find: () => readonly string[] | Promise<readonly string[]>,
  ): Promise<SiteResponse[]> => {
    const { allowed, refused } = await probeAddresses(request, find, [port], route);
    const url = new URL(`https://${host}/`);
    const requests = allowed.slice(0, ADDRESSES_MAX).map((address) =>
      limiter.run(async (): Promise<SiteResponse> => {
        const { response, certificate, headers } = await requestHttp(
          { url, ...(route({ address, port }) ?? { address, port }), target, trust },
          limits,
        );
        return {
          address,
          response,
          ...(certificate !== undefined && {
            fingerprint: certificate.fingerprint,
            subject: certificate.subject,
          }),
          headers: distinguishingHeaders(headers ?? {}),
        };
      }),
    );
    const skipped = refused.map(({ address, failure }) => ({
      address,
      response: failure,
      headers: new Map(),
    }));
    return [...(await Promise.all(requests)), ...skipped];
  };
  const [ofDomain, ofTarget] = await Promise.all([
    responsesOf(domain, () => addresses),
    responsesOf(target, async () => (await request.addressesOf(target)).addresses),
  ]);
  return { domain, target, port, ofDomain, ofTarget };
}

function distinguishingHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Map<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = [value ?? []].flat().join(', ');
    return text.length <= HEADER_SHOWN_MAX && isDistinguishing(name, text) ? [[name, text]] : [];
  });
  return new Map(entries);
}

/**
 * Header names that many sites send with the same value: fields of HTTP (IANA registry), security policies, and those
 * that software, caches and CDNs add. They say nothing about who serves a site.
 */
const COMMON: ReadonlySet<string> = new Set(
  `accept-ch accept-ranges age allow alt-svc cache-control cache-status cdn-cache-control connection
  content-disposition content-encoding content-language content-length content-location content-range content-type
  date deprecation etag expires host keep-alive last-modified link location p3p pragma priority proxy-status refresh
  retry-after server server-timing set-cookie sunset tk trailer transfer-encoding upgrade vary via warning
  www-authenticate

  content-security-policy content-security-policy-report-only cross-origin-embedder-policy cross-origin-opener-policy
  cross-origin-resource-policy expect-ct feature-policy nel origin-agent-cluster permissions-policy public-key-pins
  referrer-policy report-to reporting-endpoints strict-transport-security timing-allow-origin x-content-type-options
  x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-robots-tag
  x-ua-compatible x-xss-protection

  x-aspnet-version x-aspnetmvc-version x-cache x-cache-hits x-cache-status x-generator x-pingback x-powered-by
  x-proxy-cache x-runtime x-served-by x-timer x-varnish`.split(/\s+/),
);

/** Prefixes of the names that CDNs and clouds add, and of CORS. */
const PREFIX = /^(?:access-control|akamai|cdn|cf|fastly|sec|x-akamai|x-amz|x-azure)-/;

/**
 * Bits of entropy that a value needs, by the frequency of its characters. A UUID has about 120, 16 hexadecimal digits about
 * 55. Names of regions, environments and builds (`fra1`, `production`, `v2-eu-west-1`) have less: several operators of the
 * same software send the same one.
 */
const ENTROPY_BITS_MIN = 48;

/** A version, a date or a number with a unit names software or a time, not an operator. */
const COMMON_VALUE = /\d+\.\d+|\b(?:19|20)\d\d-\d\d\b|^[\d\s.,:;/-]*$/;

/** Whether a header of one site identifies who serves it, so that no other operator sends the same. */
function isDistinguishing(name: string, value: string): boolean {
  const text = value.trim();
  return (
    !COMMON.has(name) &&
    !PREFIX.test(name) &&
    hasLettersAndDigits(text) &&
    !COMMON_VALUE.test(text) &&
    entropyBits(text) >= ENTROPY_BITS_MIN
  );
}

/** Whether a value looks like an id. Words alone may be the same by chance, however long they are. */
function hasLettersAndDigits(text: string): boolean {
  return /[a-z]/i.test(text) && (text.match(/\d/g) ?? []).length >= 2;
}

/** The length times the entropy of a character (Shannon), in bits. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}
