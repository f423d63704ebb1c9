import { argument, toggle } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { type CommandGroup, defineCommand, outputFields } from '../../session/command.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { shellWord } from '../../errors/shell-word.js';
import { type Column, isBareTextFormat, isTabularFormat, toTerminalLine } from '../../output/index.js';
import { configPath } from '../../system/files/paths.js';
import { aSetting, CONFIG_KEYS, type ConfigKey, TRUSTED_URLS_NOTE } from './keys.js';
import { set, unset } from './set.js';
import { printValue } from '../../session/print-value.js';
import { isReadSetting, type ReadSetting } from '../../settings/config/fields.js';
import { type Origin, describeOrigin, readSetting, resolveSettings } from '../../settings/config/settings.js';
import { readConfigFile } from '../../settings/config/config-files.js';

const COLUMNS: readonly Column[] = [
  { field: 'key', header: 'setting', fixed: true },
  { field: 'value', header: 'value' },
];
const ORIGIN: Column = { field: 'origin', header: 'from' };

const SHOW_ORIGIN = { showOrigin: toggle('--show-origin', 'Also print where the value comes from') };

const get = defineCommand({
  word: 'get',
  summary: 'Print a setting',
  description: `Print the effective value of a setting. Exit code 1 if it is not set. ${TRUSTED_URLS_NOTE}`,
  arguments: { key: argument('<setting>', `One of ${CONFIG_KEYS.join(', ')}`, aSetting) },
  flags: SHOW_ORIGIN,
  examples: ['petstore config get baseUrl', 'petstore config get baseUrl --show-origin'],
  run: getSetting,
});

const list = defineCommand({
  word: 'list',
  aliases: ['ls'],
  summary: 'List the active settings',
  description: `List the effective settings. ${TRUSTED_URLS_NOTE}`,
  flags: SHOW_ORIGIN,
  fields: outputFields([...COLUMNS, ORIGIN]),
  examples: ['petstore config list', 'petstore config list --show-origin', 'petstore config list --json'],
  run: listSettings,
});

const path = defineCommand({
  word: 'path',
  summary: 'Print the path of the configuration file',
  description: 'Print the path of config.json.',
  examples: ['petstore config path'],
  run: printPath,
});

export const config: CommandGroup = {
  word: 'config',
  description: 'Read and change the settings of profiles. For API keys, see petstore auth.',
  examples: ['petstore config list --show-origin', 'petstore config set output json', 'petstore config path'],
  notes: 'Files and precedence: petstore help config',
  commands: [get, set, unset, list, path],
};

async function getSetting(
  { key, showOrigin }: { key: ConfigKey; showOrigin: boolean },
  session: Session,
): Promise<undefined> {
  const found = effectiveSettings(session).find((setting) => setting.key === key);
  if (found?.value === undefined) {
    const { profile, profileFrom } = session.settings;
    const isNamed = profileFrom === 'flag' || (profileFrom === 'environment' && key !== 'trustedUrls');
    const flag = isNamed ? ` --profile ${shellWord(String(profile))}` : '';
    throw new CommandFailure(`${key} is not set`, {
      type: 'not-set',
      exitCode: EXIT.failed,
      hint: `Run "petstore config set ${key} VALUE${flag}".`,
    });
  }
  const { value, origin = '' } = found;
  if (!showOrigin) await printValue(value, session);
  else if (isBareTextFormat(session.format) && session.global.query === undefined) {
    const lines = typeof value === 'string' ? [value] : value;
    const text = lines.map((line) => `${toTerminalLine(line)}\t${toTerminalLine(origin)}\n`).join('');
    session.context.stdout.write(text);
  } else {
    await session.print({ kind: 'record', row: { key, value, origin }, columns: [...COLUMNS, ORIGIN] });
  }
}

async function listSettings({ showOrigin }: { showOrigin: boolean }, session: Session): Promise<undefined> {
  const rows = effectiveSettings(session).map((setting) => rowOf(setting, session));
  await session.print({ kind: 'list', rows, columns: showOrigin ? [...COLUMNS, ORIGIN] : COLUMNS });
}

function rowOf({ key, value, origin }: EffectiveSetting, { format }: Session): Record<string, unknown> {
  const isForPeople = isTabularFormat(format);
  const list = typeof value === 'object' && isForPeople ? value.join(' ') : value;
  return { key, value: list ?? (isForPeople ? '' : null), origin: origin ?? (isForPeople ? '' : null) };
}

async function printPath(_options: object, session: Session): Promise<undefined> {
  // Does not read the file: the user may need the path to fix it.
  await printValue(configPath(session.context), session);
}

type EffectiveSetting = ReturnType<typeof effectiveSettings>[number];

/** A value, which is `undefined` if not set, and what sets it. */
type Found = [value: string | readonly string[] | undefined, from: Origin | undefined];

/** The effective value of each setting, and the flag, variable or file that sets it. */
function effectiveSettings({ global, context }: Session) {
  const settings = resolveSettings(global, context);
  const { path, trustedUrls } = readConfigFile(context);
  const { entry, profile, profileFrom, baseUrl, baseUrlFrom, project } = settings;
  const names = { project: project?.path, profile: `${String(profile)} in ${path}`, config: path };
  const found: Record<Exclude<ConfigKey, ReadSetting>, Found> = {
    profile: [profile, profileFrom],
    baseUrl: [baseUrl, baseUrlFrom],
    stagingUrl: [entry?.stagingUrl, 'profile'],
    trustedUrls: global.profile === undefined ? [trustedUrls, 'config'] : [entry?.trustedUrls, 'profile'],
  };
  const read = (key: ReadSetting): Found => {
    const { value, from } = readSetting(key, global, context, entry) ?? {};
    return [value === undefined ? undefined : String(value), from];
  };
  return CONFIG_KEYS.map((key) => {
    const [value, origin] = isReadSetting(key) ? read(key) : found[key];
    const isSet = value !== undefined && origin !== undefined;
    return { key, value, origin: isSet ? describeOrigin(origin, { ...names, setting: key }) : undefined };
  });
}
