import { ConfigurationError, InvalidInputError } from '../../errors.js';

/** The parsed base URL of the service. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path prefix without a trailing slash, such as `/v1`. Empty for the root. */
  readonly prefix: string;
}

/**
 * Parses the base URL. It must be https, or http to a loopback address, because the API key is sent there.
 *
 * @throws ConfigurationError if it is missing or invalid. The error shows no credentials of the URL.
 */
export function parseBaseUrl(value: string | URL | undefined, allowInsecure: boolean): BaseUrl {
  if (value === undefined || value === '') {
    throw configurationError('No base URL', 'Pass baseUrl, such as https://…/v1.');
  }
  // Callers without TypeScript can pass anything. A URL may be one of another realm.
  if (typeof value !== 'string' && Object.prototype.toString.call(value) !== '[object URL]')
    throw configurationError('The base URL must be a string or a URL', 'Pass it like https://host/v1.');
  const url = parse(String(value));
  if (url.username !== '' || url.password !== '') {
    throw configurationError('The base URL contains credentials', 'Remove them. Pass the key as apiKey.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw configurationError(
      'The base URL has a query or a fragment',
      'End it with the version prefix, such as /v1.',
    );
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw configurationError(
      `The base URL would send the API key unencrypted to ${url.host}`,
      'Use https, or a loopback address.',
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}

/**
 * Checks the path of a raw request and prepends the prefix of the base URL.
 *
 * @throws InvalidInputError if the path could leave the base URL: another origin, dot segments, control characters.
 */
export function resolvePath(base: BaseUrl, path: string): string {
  const problem = pathProblem(path);
  if (problem !== undefined) {
    throw new InvalidInputError(`The path ${problem}`, {
      field: 'path',
      hint: /^\/(?!\/).*[\0-\x20\x7f\\#]/s.test(String(path))
        ? 'Percent-encode such characters: %20 is a space, %5C a backslash, and %23 a #.'
        : 'Pass a path relative to the base URL, such as /pets.',
    });
  }
  // Percent-encodes where needed. After the checks above the result stays within the prefix.
  const resolved = new URL(base.origin + base.prefix + path);
  return resolved.pathname + resolved.search;
}

function pathProblem(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'is not a string';
  if (!path.startsWith('/') || path.startsWith('//')) return 'does not start with a single /';
  if (/[\0-\x20\x7f\\]/.test(path)) return 'contains a space, a backslash or a control character';
  if (path.includes('#')) return 'contains a fragment';
  const segments = path.split('?', 1)[0]?.split('/') ?? [];
  const dots = segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return dots ? 'contains a dot segment' : undefined;
}

function parse(value: string): URL {
  // URL would parse `localhost:4010/v1` with the scheme `localhost:`.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) {
    throw configurationError(
      'The base URL has no scheme',
      'Start it with https://, or with http:// for a loopback address.',
    );
  }
  if (!/^https?:/i.test(value))
    throw configurationError('The base URL is neither http nor https', 'Use https.');
  try {
    return new URL(value);
  } catch {
    throw configurationError('The base URL is not a valid URL', 'Write it like https://host/v1.');
  }
}

/**
 * Checks for a loopback host; IPv6 with or without brackets. Subdomains of `localhost` do not count: some systems resolve
 * them by DNS, so they may be other hosts.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}

function configurationError(message: string, hint: string): ConfigurationError {
  return new ConfigurationError(message, { option: 'baseUrl', hint });
}
