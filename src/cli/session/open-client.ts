import {
  type ClientEvent,
  createPetStoreOver,
  type GateStore,
  type PetStore,
  type Transport,
} from '../../client/internal.js';
import type { ClientAdjustments, Notes, Prompts, Service, Session } from './session.js';
import { noApiKey } from '../settings/credentials/api-key.js';
import { findSessionKey } from './session-key.js';
import { isExposed, plainTextWarning } from '../settings/credentials/key-file.js';
import { openGate } from '../settings/config/gate.js';
import { projectOfBaseUrl } from '../settings/config/settings.js';
import type { Destination } from './destination.js';
import { WAIT_MAX_DEFAULT_MS } from '../command-line/global-flags.js';
import { readAuthorities } from '../settings/network/authorities.js';
import { networkSettings } from '../settings/network/proxy.js';

/** Replaces the client's warning, which names no command. */
const IMPLAUSIBLE_WAIT =
  'The service requires a wait of more than 24 hours. petstore waits until the reset, at most 24 hours. ' +
  'To clear the wait, run: petstore limits --reset';

/** A single attempt waits this long for its turn: until the first request of another command has a response. */
const ONCE_WAIT_MAX_MS = 2_000;

/** Receives the events and the gate of a client. */
export interface ClientListener {
  onEvent(event: ClientEvent): void;
  /** Receives the gate, which the session closes. */
  onGate(opened: GateStore): void;
}

type ClientSession = Notes &
  Prompts &
  Service &
  Pick<Session, 'context' | 'global' | 'settings' | 'readSettingsAgain'>;

/** Opens the client that the flags, the settings and the command describe. */
export async function openClient(
  session: ClientSession,
  adjust: ClientAdjustments,
  { onEvent, onGate }: ClientListener,
): Promise<PetStore> {
  const { global, context, recorder } = session;
  const { transport, baseUrl, apiKey } = await chooseRoute(session, adjust);
  // Requests that stay in this process use no shared rate limit.
  const isRemote = recorder === undefined && !global.mock;
  const gate = isRemote ? openGate(session.settings.gate, context) : 'memory';
  if (gate !== 'memory') onGate(gate);
  const waitMaxMs = global.waitMaxMs ?? WAIT_MAX_DEFAULT_MS;
  // Retries of a recorded request can't succeed.
  const once = recorder !== undefined || adjust.once === true || !global.retry;
  return createPetStoreOver(transport, {
    gate,
    reservePercent: global.reservePercent,
    apiKey,
    baseUrl,
    timeoutMs: global.timeoutMs,
    retry: once
      ? { attemptsMax: 1, waitMaxMs: global.retry ? Math.min(waitMaxMs, ONCE_WAIT_MAX_MS) : 0 }
      : { waitMaxMs },
    clock: context.clientClock,
    onEvent,
    onWarning: ({ code, message }) => {
      // The command prints it once a day.
      if (code === 'deprecated-operation') return;
      session.warn(code === 'implausible-wait' ? IMPLAUSIBLE_WAIT : message);
    },
  });
}

/** Where the requests go, and with which key. */
async function chooseRoute(
  session: ClientSession,
  { mayPrompt = true, offline = false, isBulk, credentials }: ClientAdjustments,
) {
  const { global, context, recorder } = session;
  const checkSentKey = async (key: Destination['key'], baseUrl: string): Promise<void> => {
    const project = projectOfBaseUrl(session.settings);
    if (offline || project === undefined) return;
    // Loaded here, because most base URLs are not from a project file.
    const { checkDestination } = await import('./destination.js');
    await checkDestination({ key, baseUrl, project }, mayPrompt, session);
  };
  const named = credentials?.baseUrl ?? session.baseUrl;
  if (recorder !== undefined) {
    const { apiKey = 'not-sent' } = credentials ?? {};
    // The printed command sends PETSTORE_API_KEY.
    if (global.curl && credentials === undefined) await checkSentKey({ from: 'environment' }, named);
    return { transport: recorder.transport, baseUrl: named, apiKey };
  }
  if (credentials !== undefined) return { transport: await networkTransport(named, session), ...credentials };
  if (global.mock) {
    // A rehearsal finds a wrong path too.
    await readAuthorities(global.caFile, context);
    const { createMockTransport } = await import('../settings/network/mock-transport.js');
    return { ...(await createMockTransport()), baseUrl: named };
  }
  const key = await findSessionKey(session);
  if (key === undefined) throw noApiKey(session.settings, context);
  // After the key: the settings are read again if a login beside this command has replaced both.
  const { baseUrl } = session;
  if (key.path !== undefined && isExposed(key.path, context))
    session.warn(plainTextWarning(key.path, context));
  await checkSentKey(key, baseUrl);
  const transport = await networkTransport(baseUrl, session, isBulk);
  return { transport, baseUrl, apiKey: key.secret };
}

async function networkTransport(
  baseUrl: string,
  { context, global }: Pick<Session, 'context' | 'global'>,
  isBulk?: boolean,
): Promise<Transport> {
  return context.network({ ...(await networkSettings(baseUrl, global.caFile, context)), isBulk });
}
