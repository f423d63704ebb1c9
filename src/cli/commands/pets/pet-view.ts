import { type Column, petStatusStyle, type View } from '../../output/index.js';
import { anInt64, anyText, type Flag, oneOf, option } from '../../command-line/flag.js';
import {
  OPTIONAL_ENTRIES,
  type OptionalFields,
  type Pet,
  PET_STATUSES,
  type PetStatus,
} from '../../../schema/pet-reader.js';
import type { Session } from '../../session/session.js';
import { outputFields } from '../../session/command.js';

/** Unknown fields are printed in json and yaml, and can be used in --query. */
export const PET_COLUMNS: readonly Column[] = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name', emptyText: '-' },
  { field: 'categoryId', header: 'category', fixed: true, spare: true },
  { field: 'status', header: 'status', emptyText: '-', paint: petStatusStyle },
  ...OPTIONAL_ENTRIES.filter(([field]) => field !== 'status').map(([field]) => ({
    field,
    header: field,
    emptyText: '-',
    onDemand: true,
  })),
];

/** Tables say `category`, data has `categoryId`. Both are accepted. */
export const PET_OUTPUT = outputFields(
  PET_COLUMNS.map(({ header }) => header),
  PET_COLUMNS,
);

/** The flag for a category. The wire calls it `categoryId`. */
export function categoryFlag(summary: string): Flag<bigint | undefined> {
  return { ...option('--category <id>', summary, anInt64), aliases: ['--category-id', '--categoryId'] };
}

/** A flag for each optional field, such as `--status <status>`. */
export const OPTIONAL_FLAGS = Object.fromEntries(
  OPTIONAL_ENTRIES.map(([field, { expected, values }]) => {
    const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
    const summary = `${title}: ${values?.join(', ') ?? expected}`;
    // The client checks other values.
    return [field, option(`--${name} <${name}>`, summary, values === undefined ? anyText : oneOf(values))];
  }),
) as { readonly [Name in keyof OptionalFields]-?: Flag<OptionalFields[Name]> };

/** The formats of an export. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'json', 'tsv', 'yaml'] as const;

/** The view of a list of pets. */
export function petListView(pets: readonly Pet[]): Extract<View, { kind: 'list' }> {
  return { kind: 'list', rows: pets, columns: PET_COLUMNS };
}

/** The view of one pet. */
export function petView(pet: Pet): Extract<View, { kind: 'record' }> {
  return { kind: 'record', row: pet, columns: PET_COLUMNS };
}

/**
 * With --dry-run and --curl there is no response, so only the first of several requests is known.
 *
 * @param statuses those that are listed; empty for all of them.
 */
export function noteFirstOfAll(session: Session, statuses: readonly PetStatus[] = []): void {
  if (session.recorder === undefined || statuses.length === 1) return;
  session.note(
    statuses.length === 0
      ? `This is the first of up to ${String(1 + PET_STATUSES.length)} requests. If the response is full, one request per status follows.`
      : `This is the first of ${String(statuses.length)} requests, one per status.`,
  );
}

/** Stores the ids shown on a terminal for completion, except those of the mock. */
export async function storeShownPets(
  pets: readonly Pet[],
  { context, global, terminal }: Session,
): Promise<void> {
  if (!terminal.stdout.isTTY || global.mock) return;
  const { storeSeenPets } = await import('../completion/seen-pets.js');
  storeSeenPets(pets, context);
}
