import { ConfigurationError } from '../../../errors.js';

/** Where a Redis is and how to log in. */
export interface RedisAddress {
  host: string;
  port: number;
  tls: boolean;
  database: number;
  /** What the names of the keys begin with, where the address tells. */
  prefix: string | undefined;
  /** The address without user name and password: all of it that may be shown. */
  shown: string;
  /** In a closure, so that neither `util.inspect` nor JSON finds the password. */
  credentials(): RedisCredentials;
}

/** Absent where the address has none. */
export interface RedisCredentials {
  username?: string;
  password?: string;
}

const DEFAULT_PORT = 6379;
const SHAPE = 'redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=PREFIX], or rediss:// for TLS';

/**
 * Reads an address. Never shows it where it is wrong, for it may hold a password.
 *
 * @throws ConfigurationError
 */
export function parseRedisUrl(text: string | URL): RedisAddress {
  const url = parseUrl(String(text));
  const database = /^\/?$/.test(url.pathname)
    ? '0'
    : (/^\/(\d{1,9})$/.exec(url.pathname)?.[1] ?? refuse('path'));
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'prefix');
  if (unknown !== undefined) refuse('query');
  // An unescaped # in a password ends the address there.
  if (url.hash !== '') refuse('fragment');
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
    shown: `${url.protocol}//${url.hostname}:${String(port)}${database === '0' ? '' : `/${database}`}`,
    credentials: () => credentials,
  };
}

function parseUrl(text: string): URL {
  // The error of `new URL` holds its input: none of it is passed on.
  if (!URL.canParse(text)) refuse('address');
  const url = new URL(text);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') refuse('scheme');
  if (url.hostname === '') refuse('host');
  return url;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse('percent-encoding');
  }
}

function refuse(part: string): never {
  throw new ConfigurationError(`the address of the Redis gate has a wrong ${part}`, {
    option: 'gate',
    hint: `write it as ${SHAPE}; in the password, percent-encode all but letters and digits`,
  });
}
