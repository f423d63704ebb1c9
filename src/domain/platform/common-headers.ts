/**
 * Header names that many sites send with the same value: fields of HTTP (IANA registry), security policies, and those
 * that software, caches and CDNs add. They say nothing about who serves a site.
 */
const COMMON: ReadonlySet<string> = new Set([
  ...[
    'accept-ch',
    'accept-ranges',
    'age',
    'allow',
    'alt-svc',
    'cache-control',
    'cache-status',
    'cdn-cache-control',
  ],
  ...['connection', 'content-disposition', 'content-encoding', 'content-language', 'content-length'],
  ...['content-location', 'content-range', 'content-type', 'date', 'deprecation', 'etag', 'expires', 'host'],
  ...[
    'keep-alive',
    'last-modified',
    'link',
    'location',
    'p3p',
    'pragma',
    'priority',
    'proxy-status',
    'refresh',
  ],
  ...['retry-after', 'server', 'server-timing', 'set-cookie', 'sunset', 'tk', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'vary', 'via', 'warning', 'www-authenticate'],
  ...['content-security-policy', 'content-security-policy-report-only', 'cross-origin-embedder-policy'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy', 'expect-ct', 'feature-policy', 'nel'],
  ...['origin-agent-cluster', 'permissions-policy', 'public-key-pins', 'referrer-policy', 'report-to'],
  ...['reporting-endpoints', 'strict-transport-security', 'timing-allow-origin'],
  ...['x-content-type-options', 'x-dns-prefetch-control', 'x-download-options', 'x-frame-options'],
  ...['x-permitted-cross-domain-policies', 'x-robots-tag', 'x-ua-compatible', 'x-xss-protection'],
  ...['x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-pingback', 'x-powered-by', 'x-runtime'],
  ...['x-cache', 'x-cache-hits', 'x-cache-status', 'x-proxy-cache', 'x-served-by', 'x-timer', 'x-varnish'],
]);

/** Prefixes of the names that CDNs and clouds add, and of CORS. */
const PREFIXES = [
  'access-control-',
  'akamai-',
  'cdn-',
  'cf-',
  'fastly-',
  'sec-',
  'x-akamai-',
  'x-amz-',
  'x-azure-',
];

/** A shorter value, such as `1` or `HIT`, is the same by chance. */
const LENGTH_MIN = 4;

/** Whether a header of one site identifies who serves it, so that no other operator sends the same. */
export function isDistinguishing(name: string, value: string): boolean {
  const text = value.trim();
  return (
    !COMMON.has(name) &&
    !PREFIXES.some((prefix) => name.startsWith(prefix)) &&
    text.length >= LENGTH_MIN &&
    !/^(true|false|none|miss|hit|\d+)$/i.test(text)
  );
}
