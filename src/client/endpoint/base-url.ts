import { ConfigurationError, InvalidInputError } from '../../errors.js';

/** The address of the service, taken apart once so that a request is put together without parsing. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path prefix without a trailing slash, such as `/v1`; empty for the root. */
  readonly prefix: string;
}

/**
 * Checks the address of the service. The key goes there, so it must be https, or plain http to this very machine.
 *
 * @throws ConfigurationError, never showing credentials that the address may hold.
 */
export function parseBaseUrl(value: string | URL | undefined, allowInsecure: boolean): BaseUrl {
  if (value === undefined || value === '') {
    throw configurationError('no base URL', 'pass baseUrl: the address of the service, such as https://…/v1');
  }
  const url = parse(String(value));
  if (url.username !== '' || url.password !== '') {
    throw configurationError('the base URL holds credentials', 'take them out; the key is passed as apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    throw configurationError(
      'the base URL has a query or a fragment',
      'end it with the version prefix, such as /v1',
    );
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw configurationError(
      `the base URL sends the key readable over plain http to ${url.host}`,
      'use https, or a loopback address',
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/**
 * Checks the path of a raw request and puts the prefix before it.
 *
 * @throws InvalidInputError where it could leave the base URL: another origin, dot segments, control characters.
 */
export function resolvePath(base: BaseUrl, path: string): string {
  const fault = pathFault(path);
  if (fault !== undefined) {
    throw new InvalidInputError(`the path ${fault}`, {
      field: 'path',
      hint: 'give a path relative to the base URL, such as /pets',
    });
  }
  // Percent-encodes what needs it. The checks above leave it no way to another origin or out of the prefix.
  const resolved = new URL(base.origin + base.prefix + path);
  return resolved.pathname + resolved.search;
}

function pathFault(path: string): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return 'does not begin with a single /';
  if (/[\0-\x20\x7f\\]/.test(path)) return 'holds a blank, a backslash or a control character';
  if (path.includes('#')) return 'holds a fragment';
  const segments = path.split('?', 1)[0]?.split('/') ?? [];
  const dots = segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return dots ? 'holds a dot segment' : undefined;
}

function parse(value: string): URL {
  // `localhost:4010/v1` parses as scheme `localhost:`.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) {
    throw configurationError(
      'the base URL has no scheme',
      'begin it with https:// (or http:// for a loopback address)',
    );
  }
  if (!/^https?:/i.test(value))
    throw configurationError('the base URL is neither http nor https', 'use https');
  try {
    return new URL(value);
  } catch {
    throw configurationError('the base URL is not a URL', 'write it like https://host/v1');
  }
}

/** A name below `localhost` is asked of DNS by some systems, and so may be anybody's. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function configurationError(message: string, hint: string): ConfigurationError {
  return new ConfigurationError(message, { option: 'baseUrl', hint });
}
