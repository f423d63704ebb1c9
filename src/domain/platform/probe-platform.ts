import { createLimiter } from '../concurrency/limiter.js';
import { HTTPS_PORT } from '../certificate/probe-certificate.js';
import { probeAddresses } from '../probe/probe-addresses.js';
import type { ProbeFailure } from '../probe/probe-failure.js';
import type { ProbeLimits } from '../probe/probe-failure.js';
import { secureContextFor } from '../probe/probe-tls.js';
import { requestHttp } from '../redirect/request-http.js';
import type { ProbeSubject } from '../report/options.js';
import { isDistinguishing } from './common-headers.js';

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
  subject: ProbeSubject & { target: string },
  limits: ProbeLimits,
): Promise<PlatformFacts> {
  const { domain, target, probe } = subject;
  const trust = secureContextFor(probe.ca);
  const port = probe.httpsPort ?? HTTPS_PORT;
  const { route } = limits;
  const limiter = createLimiter(CONNECTIONS_MAX);
  const responsesOf = async (
    host: string,
    find: () => readonly string[] | Promise<readonly string[]>,
  ): Promise<SiteResponse[]> => {
    const { allowed, refused } = await probeAddresses(
      subject,
      find,
      (address) => route?.({ address, port }) !== undefined,
    );
    const url = new URL(`https://${host}/`);
    const requests = allowed.slice(0, ADDRESSES_MAX).map((address) =>
      limiter.run(async (): Promise<SiteResponse> => {
        const { response, certificate, headers } = await requestHttp(
          { url, ...(route?.({ address, port }) ?? { address, port }), target, trust },
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
    responsesOf(domain, () => subject.addresses),
    responsesOf(target, async () => (await subject.addressesOf(target)).addresses),
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
