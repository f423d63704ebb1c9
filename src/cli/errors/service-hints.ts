import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidResponseError,
  type PetStoreError,
} from '../../errors.js';
import { isLoopback } from '../../client/index.js';
import { isNoTls } from '../../security/tls-codes.js';
import { shellWord } from '../text/shell-word.js';

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
const PETS_PATH = /\/pets(?:\/[^/]+)?$/;
/** The version prefix of both addresses of the service (interface specification, "Versioning"). */
const VERSION_PREFIX = '/v1';
const WEB_PAGE = /^text\/html\b|^application\/xhtml\+xml\b/;

/** What is wrong with the base URL, as far as the failure shows it; `undefined` if it shows nothing. */
export function addressHint(error: PetStoreError): string | undefined {
  const { request } = error;
  if (request === undefined || !URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  if (error instanceof ConnectionError) return otherSchemeHint(error.code, url);
  if (error instanceof InvalidResponseError) return invalidResponseHint(error, url);
  if (!(error instanceof ApiError)) return undefined;
  const { status, response } = error;
  const contentType = response?.headers['content-type'];
  if (status === 404 && isWebPage(contentType)) return webPageHint(url);
  if (status === 404) return missingRouteHint(error, url);
  if (status !== 400 || url.protocol !== 'http:' || isJson(contentType)) return undefined;
  return `The server may expect TLS. Try ${baseUrlOf(url, 'https:')}.`;
}

function invalidResponseHint(error: InvalidResponseError, url: URL): string | undefined {
  const { response, contentType, isHttp } = error;
  if (isWebPage(contentType)) return webPageHint(url);
  if (response === undefined) {
    const remedy = 'Check the host and the port of the base URL.';
    const isOtherProtocol = url.protocol === 'http:' && !isHttp;
    return isOtherProtocol ? `${remedy} If the server expects TLS, use ${baseUrlOf(url, 'https:')}.` : remedy;
  }
  return redirectHint(error, url) ?? (isJson(contentType) ? undefined : missingVersionHint(url));
}

function missingRouteHint({ code }: ApiError, url: URL): string | undefined {
  const { pathname } = url;
  const isList = pathname.endsWith(LIST_PATH);
  // With an error code, the service itself may have found no pet with this id. The list always exists.
  if (!PETS_PATH.test(pathname) || (code !== undefined && !isList)) return undefined;
  const versionHint = missingVersionHint(url);
  if (versionHint !== undefined) return versionHint;
  return isList
    ? `Nothing is at ${url.origin}${url.pathname}. Check the base URL, ${baseUrlOf(url)}.`
    : undefined;
}

function missingVersionHint(url: URL): string | undefined {
  if (!PETS_PATH.test(url.pathname) || hasVersion(url)) return undefined;
  return `The base URL has no ${VERSION_PREFIX}. Try ${baseUrlOf(url)}${VERSION_PREFIX}.`;
}

function webPageHint(url: URL): string {
  const remedy =
    PETS_PATH.test(url.pathname) && !hasVersion(url)
      ? `Its addresses end in ${VERSION_PREFIX}: try ${baseUrlOf(url)}${VERSION_PREFIX}.`
      : 'Check the base URL.';
  return `The response is a web page. Is ${baseUrlOf(url)} the base URL? ${remedy}`;
}

/** A redirect to the same host with the other scheme. */
function redirectHint({ redirectOrigin: origin }: InvalidResponseError, url: URL): string | undefined {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const { hostname, protocol } = new URL(origin);
  if (hostname !== url.hostname || protocol === url.protocol) return undefined;
  return `Use the base URL that the service redirects to: ${origin}${basePathOf(url)}.`;
}

function otherSchemeHint(code: string | undefined, url: URL): string | undefined {
  if (code === 'ECONNRESET' && url.protocol === 'http:')
    return `If the server expects TLS, use ${baseUrlOf(url, 'https:')}. Otherwise run "petstore doctor".`;
  if (code === undefined || !isNoTls(code) || url.protocol !== 'https:') return undefined;
  // The key is never sent over plain http to another machine.
  return isLoopback(url.hostname)
    ? `The server does not use TLS. Try ${baseUrlOf(url, 'http:')}.`
    : `The server at ${url.host} does not use TLS. Check the host and the port of the base URL.`;
}

function isWebPage(contentType: string | undefined): boolean {
  return contentType !== undefined && WEB_PAGE.test(contentType);
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.includes('json') ?? false;
}

function hasVersion(url: URL): boolean {
  return /\/v\d+$/.test(url.pathname.replace(PETS_PATH, ''));
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
