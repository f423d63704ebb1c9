import type { Command } from 'commander';
import { AuthenticationError, RateLimitError } from '../../../errors.js';
import type { Plan } from '../../../schema/rate-limit.js';
import type { Bind, Session } from '../../session/action.js';
import { findApiKey, noApiKey } from '../../credentials/api-key.js';
import { addExamples } from '../../help/examples.js';
import { EXIT } from '../../errors/exit-codes.js';
import { keySource, maskedKey } from '../../credentials/key-fingerprint.js';
import type { Column } from '../../output/index.js';
import { describeFields } from '../../help/describe-fields.js';
import { refuseMock } from './refuse-mock.js';

/** What `auth status` is asked for. */
export interface StatusOptions {
  /** Ask nobody. */
  offline: boolean;
}

/** What the service says of a key. */
type Verdict = 'accepted' | 'refused' | 'not asked';

const COLUMNS: readonly Column[] = [
  { field: 'profile', header: 'profile' },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'source', header: 'key from' },
  { field: 'key', header: 'key' },
  { field: 'service', header: 'service says' },
  { field: 'plan', header: 'plan' },
];

const FIELDS = [...COLUMNS.map(({ field }) => field), 'planInferred'];

export function registerStatus(auth: Command, bind: Bind): void {
  const status = auth
    .command('status')
    .description(
      'Tell which key is in force, where it comes from, and whether the service accepts it. Costs one request.',
    )
    .option('--offline', 'ask nobody')
    .action(({ offline }: Record<string, unknown>) => bind(showStatus, { offline: offline === true }));
  describeFields(status, FIELDS);
  addExamples(
    status,
    ['petstore auth status', 'petstore auth status --offline', 'petstore auth status --json'],
    'Exit code 3 where there is no key, or the service refuses it.',
  );
}

async function showStatus({ offline }: StatusOptions, session: Session): Promise<number> {
  refuseMock('auth status', session);
  const { settings, context } = session;
  const found = await findApiKey(settings, context);
  if (found === undefined) throw noApiKey(settings);
  const asked = offline ? { service: 'not asked' as Verdict } : await askService(session);
  const plan: Plan | undefined = 'plan' in asked ? asked.plan : undefined;
  const row = {
    profile: settings.profile ?? null,
    baseUrl: settings.baseUrl ?? null,
    source: keySource(found),
    key: maskedKey(found.secret),
    service: asked.service,
    plan: plan === undefined ? null : session.format === 'table' ? `${plan} (inferred)` : plan,
    planInferred: plan !== undefined,
  };
  await session.print({ kind: 'record', row, columns: COLUMNS });
  if (found.from === 'file')
    session.warn(`the key is in plain text in ${String(found.path)}, which its owner alone can read`);
  return asked.service === 'refused' ? EXIT.auth : EXIT.ok;
}

async function askService(session: Session): Promise<{ service: Verdict; plan?: Plan }> {
  const store = await session.client({ once: true, fields: FIELDS });
  try {
    await store.pets.list({ limit: 1 }, { signal: session.context.signal });
  } catch (error) {
    if (error instanceof AuthenticationError) return { service: 'refused' };
    if (!(error instanceof RateLimitError)) throw error;
    // Who is told to wait is known; who has to wait before anything is sent is not.
    if (error.outcome !== 'refused') {
      session.note(`the service was not asked: ${error.message}`);
      return { service: 'not asked' };
    }
  }
  const plan = store.rateLimit?.plan;
  return { service: 'accepted', ...(plan === undefined ? {} : { plan }) };
}
