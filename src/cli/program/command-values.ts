import { FAULT_NAMES, MOCK_PLANS } from '../../mock/index.js';
import { PET_STATUSES } from '../../schema/pet-reader.js';
import { COMMANDS, TOPICS } from '../command-line/command-table.js';
import { CONFIG_KEYS } from '../commands/config/keys.js';
import { PLAN_NAMES } from '../config/config-values.js';
import { EXPORT_FORMATS } from '../commands/pets/pet-view.js';
import { ROW_FORMATS, UNKNOWN_ACTIONS } from '../commands/pets/import/import-options.js';
import { CONFIGURATION_FORMATS } from '../commands/domain/records.js';
import { GOALS, PAGE_FORMATS } from '../commands/domain/verify/verify-options.js';
import { COLOR_CHOICES, OUTPUT_FORMATS } from '../output/index.js';
import type { ValueKind } from '../help/command-tree.js';
import { SHELLS } from '../completion/complete.js';

/** By flag; with the words of the command if the flag has another meaning there. */
const OF_FLAGS: Readonly<Record<string, ValueKind>> = {
  '--color': COLOR_CHOICES,
  '--fields': 'fields',
  '--json': 'fields',
  '--output': OUTPUT_FORMATS,
  '--profile': 'profile',
  '--sort': 'field',
  '--status': PET_STATUSES,
  'api --method': ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
  'domain verify --plan': PLAN_NAMES,
  'domain verify --until': GOALS,
  'mock --fault': FAULT_NAMES,
  'mock --plan': MOCK_PLANS,
  'pets import --format': ROW_FORMATS,
  'pets import --on-unknown': UNKNOWN_ACTIONS,
  'pets get --via': ['auto', 'get', 'list'],
};

/** All formats of `--output`, by the command whose formats differ. */
const OWN_FORMATS: Readonly<Record<string, readonly string[]>> = {
  'domain records': [...OUTPUT_FORMATS, ...CONFIGURATION_FORMATS],
  'domain verify': [...OUTPUT_FORMATS, ...PAGE_FORMATS],
  'pets export': EXPORT_FORMATS,
};

/** By command and argument. */
const OF_ARGUMENTS: Readonly<Record<string, ValueKind>> = {
  'auth delete profile': 'profile',
  'auth rename profile': 'profile',
  'auth switch profile': 'profile',
  'completion name': SHELLS,
  'completion shell': [...SHELLS, 'install'],
  'config get setting': CONFIG_KEYS,
  'config set setting': CONFIG_KEYS,
  'config set value': { after: { output: OUTPUT_FORMATS, color: COLOR_CHOICES } },
  'config unset setting': CONFIG_KEYS,
  'domain cert domain': 'domain',
  'domain records domains': 'domain',
  'domain redirects from': 'domain',
  'domain verify domains': 'domain',
  'help words': [...Object.keys(COMMANDS), ...Object.keys(TOPICS)],
  'mock subcommand': ['faults', 'serve'],
  'pets get id': 'pet-id',
};

/** The known values of a flag, for completion. */
export function valuesOfFlag(
  words: readonly string[],
  long: string,
  placeholder: string,
): ValueKind | undefined {
  if (placeholder.startsWith('file')) return 'file';
  return OF_FLAGS[[...words, long].join(' ')] ?? OF_FLAGS[long];
}

/** All formats of `--output`, if this command's differ. */
export function formatsOf(words: readonly string[]): readonly string[] | undefined {
  return OWN_FORMATS[words.join(' ')];
}

/** The known values of an argument, for completion. */
export function valuesOfArgument(words: readonly string[], name: string): ValueKind | undefined {
  return name.startsWith('file') ? 'file' : OF_ARGUMENTS[[...words, name].join(' ')];
}

/** The keys of the tables above. A test checks that all of them exist. */
export const KNOWN_VALUES = { flags: Object.keys(OF_FLAGS), arguments: Object.keys(OF_ARGUMENTS) };
