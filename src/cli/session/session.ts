import type { ClientEvent, GateStore, PetStore, PetStoreOptions, Transport } from '../../client/index.js';
import type { ClientAdjustments, Session } from './action.js';
import { annotation, wantsAnnotations } from '../progress/annotation.js';
import { findApiKey, noApiKey, switchHint } from '../credentials/api-key.js';
import { projectOfBaseUrl, resolveSettings, type Settings } from '../config/settings.js';
import { type Context, variable } from '../system/context.js';
import { createCountdown, type LiveLine } from '../progress/countdown.js';
import { openGate } from '../config/gate.js';
import { WAIT_MAX_DEFAULT_MS } from '../command-line/global-flags.js';
import type { GlobalOptions } from '../command-line/global-options.js';
import { logEvent } from '../network/http-log.js';
import {
  checkRenderOptions,
  type OutputFormat,
  render,
  type RenderOptions,
  toTerminalLine,
  wrapForTerminal,
} from '../output/index.js';
import { networkSettings } from '../network/proxy.js';
import { createRecorder } from './recorder.js';
import { readTerminal } from './terminal.js';
import { UsageError } from '../errors/usage-error.js';

/** The address under which the embedded mock appears; nothing is sent there. */
const EMBEDDED_BASE_URL = 'http://127.0.0.1/v1';

/** The client's notice names its own methods; this one names the flag. */
export const DEPRECATION =
  'GET /pets/{petId} is deprecated, and the service removes it on 5 December 2030: --via list does without it';

/** Makes the session of one command. Reads and sends nothing yet. */
export function createSession(
  global: GlobalOptions,
  context: Context,
  commandTree: Session['commandTree'],
): Session {
  const recorder = global.dryRun || global.curl ? createRecorder() : undefined;
  let live: LiveLine = createCountdown(context, global.quiet);
  let settings: Settings | undefined;
  let store: Promise<PetStore> | undefined;
  let gate: 'memory' | GateStore = 'memory';
  const seen: Record<'method' | 'answered', string | undefined> = { method: undefined, answered: undefined };
  const watch: Watch = {
    onEvent(event) {
      live.onEvent(event);
      if (event.type === 'request') seen.method = event.method;
      if (event.type === 'response' && event.status < 300) seen.answered = seen.method;
      if (!global.verbose) return;
      live.hide();
      logEvent(event, context.stderr);
    },
    onGate: (opened) => (gate = opened),
  };
  const session: Session = {
    context,
    global,
    get settings() {
      return (settings ??= resolveSettings(global, context));
    },
    async allowNewProfile(fields) {
      settings = resolveSettings(global, context, true);
      await checkRenderOptions(renderOptions(session, session.format), fields);
    },
    get terminal() {
      return readTerminal(context, session.settings);
    },
    get format() {
      return session.settings.format ?? (session.terminal.stdout.isTTY ? 'table' : 'tsv');
    },
    get canPrompt() {
      return canPrompt(session);
    },
    prompter: () => context.prompter({ color: takesColor(session) }),
    recorder,
    client(adjust) {
      const once = adjust?.once === true || !global.retry;
      return (store ??= openStore(session, { ...adjust, ...watch, once }));
    },
    async clientFor(credentials) {
      const transport =
        recorder?.transport ??
        (await context.network(await networkSettings(credentials.baseUrl, session.global.caFile, context)));
      const route = { transport, ...credentials, once: !global.retry, real: recorder === undefined };
      return (store = openOver(route, session, watch));
    },
    get respondedMethod() {
      return seen.answered;
    },
    get baseUrl() {
      return global.mock ? EMBEDDED_BASE_URL : configuredBaseUrl(session.settings);
    },
    commandTree,
    render: (view, format = session.format) => render(view, renderOptions(session, format)),
    async print(view, ifLost) {
      const text = await session.render(view);
      live.hide();
      context.stdout.write(text, ifLost);
    },
    ...createNotes(context, global.quiet, () => {
      live.hide();
    }),
    showLiveLine(line) {
      live.clear();
      live = line;
    },
    async close() {
      live.clear();
      if (store !== undefined) await (await store.catch(() => undefined))?.close();
      if (gate !== 'memory') await gate.close();
    },
  };
  return session;
}

/** What is told on stderr besides errors. */
function createNotes(context: Context, quiet: boolean, makeRoom: () => void): Pick<Session, 'note' | 'warn'> {
  const { stderr } = context;
  const warned = new Set<string>();
  const note = (text: string): void => {
    if (quiet) return;
    makeRoom();
    stderr.write(`${wrapForTerminal(toTerminalLine(text), stderr)}\n`);
  };
  return {
    note,
    warn(text) {
      if (warned.has(text)) return;
      warned.add(text);
      note(`warning: ${text}`);
      if (!quiet && wantsAnnotations(context))
        stderr.write(annotation('warning', 'petstore', toTerminalLine(text)));
    },
  };
}

/** Everything that rendering wants to know of the session. */
function renderOptions({ global, terminal }: Session, format: OutputFormat): RenderOptions {
  return {
    format,
    fields: global.fields,
    fieldsFlag: global.fieldsFlag,
    header: global.header,
    sort: global.sort,
    query: global.query,
    csvRaw: global.csvRaw,
    colorLevel: terminal.stdout.colorLevel,
    width: terminal.stdout.width,
    isTTY: terminal.stdout.isTTY,
  };
}

function canPrompt({ context, global }: Session): boolean {
  const asked = global.input && variable(context, 'PETSTORE_NO_INPUT') === undefined;
  return asked && variable(context, 'CI') === undefined && context.stdin.isTTY && context.stderr.isTTY;
}

/** Whether a question does. Of settings that can't be read the command that asks may be the remedy: then it asks plainly. */
function takesColor(session: Session): boolean {
  try {
    return session.terminal.stderr.colorLevel > 0;
  } catch {
    return false;
  }
}

/** What a session is told of its client. */
interface Watch {
  onEvent(event: ClientEvent): void;
  /** So that it can be let go at the end. */
  onGate(opened: GateStore): void;
}

async function openStore(
  session: Session,
  run: Watch & ClientAdjustments & { once: boolean },
): Promise<PetStore> {
  await checkRenderOptions(renderOptions(session, session.format), run.fields);
  const route = await chooseRoute(session, run);
  return openOver({ ...route, once: run.once || route.once }, session, run);
}

async function openOver(
  route: Route,
  session: Session,
  { onEvent, onGate, waitMaxMs = WAIT_MAX_DEFAULT_MS }: Watch & Pick<ClientAdjustments, 'waitMaxMs'>,
): Promise<PetStore> {
  const { global, context } = session;
  const { createPetStoreOver } = await import('../../client/index.js');
  // What is answered or held back in this very process costs nothing that others share.
  const gate = route.real ? await openGate(session.settings.gate, context) : 'memory';
  if (gate !== 'memory') onGate(gate);
  const options: PetStoreOptions = {
    gate,
    reservePercent: global.reservePercent,
    apiKey: route.apiKey,
    baseUrl: route.baseUrl,
    timeoutMs: global.timeoutMs,
    retry: route.once ? { attemptsMax: 1, waitMaxMs: 0 } : { waitMaxMs: global.waitMaxMs ?? waitMaxMs },
    clock: context.clientClock,
    onEvent,
    onWarning: ({ code, message }) => {
      session.warn(code === 'deprecated-operation' ? DEPRECATION : message);
    },
  };
  return createPetStoreOver(route.transport, options);
}

interface Route {
  transport: Transport;
  baseUrl: string;
  apiKey: string;
  /** Whether trying again is pointless. */
  once: boolean;
  /** Whether it leads to a service out of this process. */
  real: boolean;
}

async function chooseRoute(
  session: Session,
  { mayPrompt: mayAsk = true, offline = false }: ClientAdjustments,
): Promise<Route> {
  const { global, context, recorder, baseUrl } = session;
  if (recorder !== undefined) {
    return { transport: recorder.transport, baseUrl, apiKey: 'not-sent', once: true, real: false };
  }
  if (global.mock) {
    const { createMockTransport } = await import('../network/mock-transport.js');
    return { ...(await createMockTransport()), baseUrl, once: false, real: false };
  }
  const key = await findApiKey(session.settings, context);
  if (key === undefined) throw noApiKey(session.settings);
  const project = projectOfBaseUrl(session.settings);
  if (!offline && project !== undefined) {
    // Loaded here because few commands go where a project file says.
    const { checkDestination } = await import('./destination.js');
    await checkDestination({ key, baseUrl, project }, mayAsk, session);
  }
  const transport = await context.network(
    await networkSettings(baseUrl, session.global.caFile, session.context),
  );
  return { transport, baseUrl, apiKey: key.secret, once: false, real: true };
}

function configuredBaseUrl({ baseUrl, profile, profileNames }: Settings): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new UsageError(
    'no base URL: it is not known where the service is',
    `${switchHint(profile, profileNames)}pass --base-url or set PETSTORE_BASE_URL, or try --mock`,
  );
}
