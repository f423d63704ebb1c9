import { ConfigurationError } from '../../../errors.js';

/** Address and credentials of a Redis server. */
export interface RedisAddress {
  host: string;
  port: number;
  tls: boolean;
  database: number;
  /** Prefix of all keys, if the URL has one. */
  prefix: string | undefined;
  /** The URL without credentials, for messages. */
  displayUrl: string;
  /** A function, so that neither `util.inspect` nor JSON shows the password. */
  credentials(): RedisCredentials;
}

/** User name and password, as far as the URL has them. */
export interface RedisCredentials {
  username?: string;
  password?: string;
}

const DEFAULT_PORT = 6379;
const SHAPE = 'redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=PREFIX], or rediss:// for TLS';

/**
 * Parses the URL of a Redis server. Errors don't quote it, because it may contain a password.
 *
 * @throws ConfigurationError if the URL is invalid.
 */
export function parseRedisUrl(text: string | URL): RedisAddress {
  const url = parseUrl(String(text));
  const database = /^\/?$/.test(url.pathname)
    ? '0'
    : (/^\/(\d{1,9})$/.exec(url.pathname)?.[1] ?? reject('path'));
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'prefix');
  if (unknown !== undefined) reject('query');
  // An unescaped # in a password starts the fragment.
  if (url.hash !== '') reject('fragment');
  const credentials = {
    ...(url.username === '' ? {} : { username: decode(url.username) }),
    ...(url.password === '' ? {} : { password: decode(url.password) }),
  };
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return {
    host: decode(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port,
    tls: url.protocol === 'rediss:',
    database: Number(database),
    prefix: url.searchParams.get('prefix') ?? undefined,
    displayUrl: `${url.protocol}//${url.hostname}:${String(port)}${database === '0' ? '' : `/${database}`}`,
    credentials: () => credentials,
  };
}

function parseUrl(text: string): URL {
  // The error of `new URL` would quote its input.
  if (!URL.canParse(text)) reject('address');
  const url = new URL(text);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') reject('scheme');
  if (url.hostname === '') reject('host');
  return url;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return reject('percent-encoding');
  }
}

function reject(part: string): never {
  throw new ConfigurationError(`The URL of the Redis gate has an invalid ${part}`, {
    option: 'gate',
    hint: `Use ${SHAPE}. Percent-encode everything but letters and digits in the password.`,
  });
}
