import { AuthenticationError, RateLimitError } from '../../../errors.js';
import type { Plan } from '../../../schema/rate-limit.js';
import { toggle } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { describeFailure, messageForPeople } from '../../errors/describe-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { plainTextWarning } from '../../settings/credentials/key-file.js';
import { maskedKey, describeKeySource, noApiKey } from '../../settings/credentials/api-key.js';
import { type Column, reshapingFlag } from '../../output/index.js';
import { findSessionKey } from '../../session/session-key.js';
import { printValue } from '../../session/print-value.js';

/** The values of the field `service`. Scripts read them, so they stay as they are. */
type Verdict = 'accepted' | 'rejected' | 'not-checked';

const COLUMNS: readonly Column[] = [
  { field: 'profile', header: 'profile' },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'source', header: 'key from' },
  { field: 'key', header: 'key' },
  { field: 'service', header: 'service' },
  { field: 'plan', header: 'plan', emptyText: 'unknown' },
];

const VERDICTS: Readonly<Record<Verdict, string>> = {
  accepted: 'accepts the key',
  rejected: 'rejects the key (401)',
  'not-checked': 'not checked',
};

const FIELDS = [...COLUMNS.map(({ field }) => field), 'planInferred'];

export const status = defineCommand({
  word: 'status',
  summary: 'Show the active key and whether it is accepted',
  description: 'Show which key is in use, where it comes from, and whether the service accepts it.',
  flags: { offline: toggle('--offline', 'Send no request') },
  fields: outputFields(FIELDS),
  examples: ['petstore auth status', 'petstore auth status --offline', 'petstore auth status --json'],
  notes: 'Sends one request. Exit code 3: no API key, or the service rejects it.',
  run: showStatus,
});

async function showStatus({ offline }: { offline: boolean }, session: Session): Promise<number> {
  const { context, global } = session;
  const { secret, source, path } = await keyInUse(session);
  const { settings } = session;
  const { service, plan } = offline
    ? { service: 'not-checked' as const, plan: undefined }
    : await requestVerdict(session);
  const row = {
    profile: global.mock ? null : (settings.profile ?? null),
    baseUrl: global.mock ? session.baseUrl : (settings.baseUrl ?? null),
    source,
    key: maskedKey(secret),
    service: session.format === 'table' ? VERDICTS[service] : service,
    plan: plan === undefined ? null : session.format === 'table' ? `${plan} (inferred)` : plan,
    planInferred: plan !== undefined,
  };
  await session.print({ kind: 'record', row, columns: COLUMNS });
  if (path !== undefined) session.warn(plainTextWarning(path, context));
  return service === 'rejected' ? EXIT.auth : EXIT.ok;
}

async function requestVerdict(session: Session): Promise<{ service: Verdict; plan?: Plan | undefined }> {
  const store = await session.client({ once: true, fields: FIELDS });
  try {
    await store.pets.list({ limit: 1 }, { signal: session.context.signal });
  } catch (error) {
    if (error instanceof AuthenticationError) return { service: 'rejected' };
    if (!(error instanceof RateLimitError)) throw error;
    // A 429 proves that the service knows the key. A limit known before the request proves nothing.
    if (error.outcome !== 'refused') {
      session.note(`No request was sent: ${messageForPeople(describeFailure(error))}.`);
      return { service: 'not-checked' };
    }
  }
  return { service: 'accepted', plan: store.rateLimit?.plan };
}

/**
 * Returns the key that requests of this command contain, its source for people, and its path if it is from a file. With
 * `--mock` it is the key of the embedded mock.
 *
 * @throws CommandFailure if there is no key.
 */
async function keyInUse(
  session: Session,
): Promise<{ secret: string; source: string; path?: string | undefined }> {
  if (session.global.mock) {
    const { DEFAULT_KEY } = await import('../../../mock/index.js');
    return { secret: DEFAULT_KEY, source: '--mock' };
  }
  const found = await findSessionKey(session);
  if (found === undefined) throw noApiKey(session.settings, session.context);
  return { ...found, source: describeKeySource(found) };
}

export const key = defineCommand({
  word: 'key',
  summary: 'Print the active key',
  description: 'Print the API key in use. No other command prints it.',
  examples: ['petstore auth key', 'petstore auth key --profile staging'],
  run: printKey,
});

async function printKey(_options: object, session: Session): Promise<undefined> {
  const { context, global } = session;
  const { secret } = await keyInUse(session);
  // Ignores the configured format, because scripts expect the bare key.
  if (global.format === undefined && reshapingFlag(global) === undefined) context.stdout.write(`${secret}\n`);
  else await printValue(secret, session);
}
