import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidResponseError,
  type PetStoreError,
} from '../../errors.js';
import { isLoopback } from '../../client/internal.js';
import { isNoTls } from '../../security/tls-codes.js';
import { shellWord } from './shell-word.js';

/** Where the key of a request comes from: `PETSTORE_API_KEY` or a profile. */
export type KeyInUse =
  | { from: 'environment' }
  | {
      profile: string;
      /** The origin in the profile, and what selects another one; only if the request goes to another one. */
      elsewhere?: { storedFor: string; selectedBy: string } | undefined;
    };

/** The path of the list, and of a pet, below the base URL. */
const LIST_PATH = '/pets';
export const PETS_PATH = /\/pets(?:\/[^/]+)?$/;
/** The version prefix of both addresses of the service (interface specification, "Versioning"). */
const VERSION_PREFIX = '/v1';
const TWO_VERSIONS = /(\/v\d+)\1(\/.*)$/;

/** What is wrong with the base URL, as far as the failure shows it; `undefined` if it shows nothing. */
export function addressHint(error: PetStoreError): string | undefined {
  const { request } = error;
  if (request === undefined || !URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  const [, version, path] = error.type === 'not-found' ? (TWO_VERSIONS.exec(url.pathname) ?? []) : [];
  if (version !== undefined && path !== undefined)
    return `The base URL has ${version} already: use the path ${path}.`;
  const redirect = error instanceof InvalidResponseError ? redirectHint(error, url) : undefined;
  if (redirect !== undefined || !isOfOtherServer(error, url)) return redirect;
  const baseUrl = baseUrlOf(url);
  const isPlain = url.protocol === 'http:';
  // The key is never sent over plain http to another machine.
  const plainUrl = isLoopback(url.hostname) ? `: try ${baseUrlOf(url, 'http:')}` : '';
  const hints = [
    `Check the base URL, ${baseUrl}.`,
    isWithoutVersion(url) && `It has no ${VERSION_PREFIX}: try ${baseUrl}${VERSION_PREFIX}.`,
    isPlain && isHttpUnclear(error) && `If the server expects TLS, use ${baseUrlOf(url, 'https:')}.`,
    !isPlain && error instanceof ConnectionError && `The server does not use TLS${plainUrl}.`,
  ];
  return hints.filter((hint) => hint !== false).join(' ');
}

/** Whether another server than a pet store may have responded, or the service at another path. */
function isOfOtherServer(error: PetStoreError, { protocol, pathname }: URL): boolean {
  const isJson = error.response?.headers['content-type']?.includes('json') ?? false;
  if (error instanceof ConnectionError)
    return protocol === 'http:' ? error.code === 'ECONNRESET' : isNoTls(error.code ?? '');
  if (error instanceof InvalidResponseError) return !isJson;
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  if (status === 400) return protocol === 'http:' && !isJson && isHttpUnclear(error);
  if (status !== 404 || !PETS_PATH.test(pathname)) return false;
  // With an error code, the service itself may have found no pet with this id. The list always exists.
  return pathname.endsWith(LIST_PATH) || (code === undefined && isWithoutVersion({ pathname }));
}

/** Whether a server that expects TLS may have responded. Such servers say so, or send no text. */
function isHttpUnclear({ response }: PetStoreError): boolean {
  if (response === undefined) return true;
  const { status, body } = response;
  return status === 400 && (typeof body !== 'string' || /https|tls|ssl/i.test(body));
}

/** A redirect to the same host with https. The key is never sent over plain http to another machine. */
function redirectHint({ redirectOrigin: origin }: InvalidResponseError, url: URL): string | undefined {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const { hostname, protocol } = new URL(origin);
  if (hostname !== url.hostname || url.protocol !== 'http:' || protocol !== 'https:') return undefined;
  return `Use the base URL that the service redirects to: ${origin}${basePathOf(url)}.`;
}

function isWithoutVersion({ pathname }: Pick<URL, 'pathname'>): boolean {
  return PETS_PATH.test(pathname) && !/\/v\d+$/.test(pathname.replace(PETS_PATH, ''));
}

/** The base URL of a request for pets; only the origin for other paths. */
function baseUrlOf(url: URL, protocol = url.protocol): string {
  return `${protocol}//${url.host}${basePathOf(url)}`;
}

function basePathOf({ pathname }: URL): string {
  return PETS_PATH.test(pathname) ? pathname.replace(PETS_PATH, '') : '';
}

/** Names the key that the service rejected, and what replaces it; `undefined` for other failures. */
export function keyHint(error: PetStoreError, key: KeyInUse | undefined): string | undefined {
  const url = error.request?.url;
  if (!(error instanceof AuthenticationError) || key === undefined || url === undefined) return undefined;
  const origin = URL.canParse(url) ? new URL(url).origin : 'The service';
  if ('from' in key)
    return `${origin} does not accept the key in PETSTORE_API_KEY. Correct it, or unset it and run "petstore auth login".`;
  const { profile } = key;
  const remedy =
    elsewhereHint(key) ?? `Run "petstore auth login --profile ${shellWord(profile)}" to replace it.`;
  return `${origin} does not accept the key of profile "${profile}". ${remedy}`;
}

/** Advice for a key that is stored for another address, where it may be valid; otherwise `undefined`. */
export function elsewhereHint(key: KeyInUse | undefined): string | undefined {
  if (key === undefined || 'from' in key || key.elsewhere === undefined) return undefined;
  const { storedFor, selectedBy } = key.elsewhere;
  return `The key is stored for ${storedFor}, but ${selectedBy} selects another address. Check ${selectedBy}, or pass another --profile.`;
}
