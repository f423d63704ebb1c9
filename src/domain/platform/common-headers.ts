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
export function isDistinguishing(name: string, value: string): boolean {
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
