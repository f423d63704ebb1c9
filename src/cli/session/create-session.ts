import { existsSync } from 'node:fs';
import type { PetStore } from '../../client/internal.js';
import type { Session } from './session.js';
import { annotation, wantsAnnotations } from '../settings/config/annotation.js';
import { loginCommand, misspelledHint, switchHint } from '../settings/credentials/api-key.js';
import { resolveSettings, type Settings } from '../settings/config/settings.js';
import { type Context, variable } from '../system/context.js';
import { createStatusLine } from '../status/status-line.js';
import { withStatusLine } from '../status/status-context.js';
import type { GlobalOptions } from '../command-line/global-options.js';
import {
  checkRenderOptions,
  type OutputFormat,
  render,
  type RenderOptions,
  toTerminalLine,
  wrapForTerminal,
} from '../output/index.js';
import { noteQueryResult } from './after-response.js';
import { createNotes } from './create-notes.js';
import { followRequests } from './follow-requests.js';
import { openClient } from './open-client.js';
import { createRecorder } from './recorder.js';
import { readTerminal } from './terminal.js';
import { UsageError } from '../errors/usage-error.js';
import { configPath } from '../system/files/paths.js';
import { findUnsafeFolders } from '../system/files/ownership.js';

/** The address that --mock shows; nothing is sent there. */
const EMBEDDED_BASE_URL = 'http://127.0.0.1/v1';

/** Creates the session of one command. Files and connections are opened on first use. */
export function createSession(
  global: GlobalOptions,
  host: Context,
  commandTree: Session['commandTree'],
  given: Session['given'] = [],
): Session {
  const status = createStatusLine(host, global.quiet);
  const context = withStatusLine(host, status, isAttended(host, global));
  const recorder = global.dryRun || global.curl ? createRecorder() : undefined;
  let settings: Settings | undefined;
  let store: Promise<PetStore> | undefined;
  let hasAnnotatedFailure = false;
  const requests = followRequests({ context, global, status }, () => session.settings.gate);
  const readSettings = (mayBeNew = false): Settings => {
    settings = resolveSettings(global, context, mayBeNew);
    if (!global.mock) warnOfUnsafeFolders(session);
    return settings;
  };
  const session: Session = {
    context,
    global,
    given,
    recorder,
    commandTree,
    status,
    ...createNotes(
      { context, global },
      () => hasColor(session),
      () => isForPerson(session),
    ),
    get settings() {
      return settings ?? readSettings();
    },
    readSettingsAgain() {
      const before = settings?.entry;
      return JSON.stringify(readSettings().entry) !== JSON.stringify(before);
    },
    async allowNewProfile(fields) {
      readSettings(true);
      await checkRenderOptions(renderOptions(session, session.format), fields);
    },
    get terminal() {
      return readTerminal(context, session.settings);
    },
    get format() {
      return session.settings.format ?? (session.terminal.stdout.isTTY ? 'table' : 'tsv');
    },
    get canPrompt() {
      return isAttended(context, global) && context.stdin.isTTY;
    },
    annotateFailure(title, reasons) {
      if (!wantsAnnotations(context)) return;
      hasAnnotatedFailure = true;
      const message = reasons.map(toTerminalLine).join('\n');
      context.stderr.write(annotation('error', toTerminalLine(title), message));
    },
    get hasAnnotatedFailure() {
      return hasAnnotatedFailure;
    },
    prompter: () => {
      status.clear();
      return context.prompter({ color: hasColor(session) });
    },
    client(adjust = {}) {
      const open = async (): Promise<PetStore> => {
        if (adjust.credentials === undefined)
          await checkRenderOptions(renderOptions(session, session.format), adjust.fields);
        await warnOfBareStatus(session);
        return openClient(session, adjust, requests);
      };
      return (store = adjust.credentials === undefined && store !== undefined ? store : open());
    },
    get respondedMethod() {
      return requests.respondedMethod;
    },
    get baseUrl() {
      return global.mock ? EMBEDDED_BASE_URL : configuredBaseUrl(session.settings, context);
    },
    render: (view, format = session.format) => {
      const onHidden = (titles: readonly string[]): void => {
        if (isForPerson(session))
          session.note(
            `No room for ${titles.join(', ')}. Widen the terminal, or choose columns with --fields.`,
          );
      };
      return render(view, { ...renderOptions(session, format), onHidden });
    },
    async print(view, hintIfLost) {
      const text = await session.render(view);
      context.stdout.write(text, hintIfLost);
      noteQueryResult(text, session, hintIfLost);
    },
    async close() {
      status.clear();
      if (global.mock && requests.takeWrite())
        // Also with --quiet: otherwise the write looks as if it was stored.
        context.stderr.write(wrapForTerminal(`${NOT_STORED}\n`, context));
      if (store !== undefined) await (await store.catch(() => undefined))?.close();
      await requests.closeGate();
    },
  };
  return session;
}

const NOT_STORED = 'Nothing was stored: the mock service of --mock ends with this command.';
/** Warns that a query compares the status with a field of this name, which no pet has. */
async function warnOfBareStatus({
  global: { query },
  warn,
}: Pick<Session, 'global' | 'warn'>): Promise<void> {
  if (query === undefined) return;
  const { quoteBareStatus } = await import('../output/query/bare-status.js');
  const word = quoteBareStatus(query);
  if (word !== undefined)
    warn(
      `A name without single quotes is a field in --query. To compare with a text, write: --query ${word}`,
    );
}

/** Warns about folders that the command would use: a configuration only if it exists. */
function warnOfUnsafeFolders({ context, warn }: Pick<Session, 'context' | 'warn'>): void {
  const folders = findUnsafeFolders(context).filter(
    ({ holds }) => holds !== 'configuration' || existsSync(configPath(context)),
  );
  const [first] = folders;
  if (first === undefined) return;
  const contents = new Intl.ListFormat('en').format(folders.map(({ holds }) => holds));
  warn(`The stored ${contents} can't be used: ${first.error.message}. Run "petstore doctor" for help.`);
}

function renderOptions(
  { global, terminal }: Pick<Session, 'global' | 'terminal'>,
  format: OutputFormat,
): RenderOptions {
  return { ...global, format, ...terminal.stdout };
}

/** Whether a person reads stderr and may be asked. stdin can be a pipe. */
function isAttended(context: Context, { input }: GlobalOptions): boolean {
  if (!input || variable(context, 'PETSTORE_NO_INPUT') !== undefined) return false;
  return variable(context, 'CI') === undefined && context.stderr.isTTY;
}

/** Whether stdout is a terminal; also if the settings can't be read, because the command may repair them. */
function isForPerson(session: Pick<Session, 'terminal' | 'context'>): boolean {
  try {
    return session.terminal.stdout.isTTY;
  } catch {
    return session.context.stdout.isTTY;
  }
}

/** Whether prompts use colour. False if the settings can't be read: the command may repair them. */
function hasColor(session: Pick<Session, 'terminal'>): boolean {
  try {
    return session.terminal.stderr.colorLevel > 0;
  } catch {
    return false;
  }
}

function configuredBaseUrl(
  { baseUrl, profile, profileNames }: Settings,
  { env }: Pick<Context, 'env'>,
): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new UsageError(
    'No API address configured',
    `${misspelledHint('PETSTORE_BASE_URL', env)}${switchHint(profile, profileNames)}Run "${loginCommand(profile)} --base-url URL", or set PETSTORE_BASE_URL.`,
  );
}
