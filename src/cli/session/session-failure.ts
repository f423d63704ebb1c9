import { isPetStoreError } from '../../errors.js';
import { describeFailure, type FailureReport, type NamedProxy } from '../errors/describe-failure.js';
import type { KeyInUse } from '../errors/service-hints.js';
import { describeOrigin } from '../settings/config/settings.js';
import { namedProxy } from '../settings/network/proxy.js';
import { type Context, variable } from '../system/context.js';
import type { Session } from './session.js';

/** Describes a failure of a request. Its hint names the key and the proxy of the session. */
export function describeSessionFailure(error: unknown, session: Session, waitMaxMs = 0): FailureReport {
  return describeFailure(error, waitMaxMs, proxyOf(error, session.context), keyOf(session));
}

/** Where the key of the session's requests comes from; `undefined` for the embedded mock. */
export function keyOf({ context, global, settings }: Session): KeyInUse | undefined {
  if (global.mock) return undefined;
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) return { from: 'environment' };
  const { profile, entry, baseUrl, baseUrlFrom, project } = settings;
  if (profile === undefined) return undefined;
  const [storedFor, used] = [entry?.keyOrigin ?? entry?.baseUrl, baseUrl].map((url) =>
    url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined,
  );
  if (storedFor === undefined || storedFor === used || baseUrlFrom === undefined) return { profile };
  const selectedBy =
    baseUrlFrom === 'profile'
      ? '--staging'
      : describeOrigin(baseUrlFrom, { setting: 'baseUrl', project: project?.path });
  return { profile, elsewhere: { storedFor, selectedBy } };
}

/** The proxy of a failed request. */
export function proxyOf(error: unknown, context: Context): NamedProxy | undefined {
  return isPetStoreError(error) && error.request !== undefined
    ? namedProxy(error.request.url, context)
    : undefined;
}
