import { toInt64 } from '../../../schema/int64.js';
import type { Context } from '../../system/context.js';
import { choice, int64, quoted } from '../../command-line/flag-values.js';
import { parseJsonInput, readInput } from '../../files/input-file.js';
import { suggest } from '../../../options/suggest.js';
import { UsageError } from '../../errors/usage-error.js';
import { findJsonDuplicate } from '../../../schema/json-inspect.js';
import { isPetStatus, PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';

const FIELDS = ['name', 'categoryId', 'status'];

/** Reads a new pet from a JSON file, or from stdin for `-`. Fields may be missing, because flags can add them. */
export async function readNewPetFile(file: string, context: Context): Promise<PetDraft> {
  const { text, source } = await readInput(file, context);
  const value = parseJsonInput(text, source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(
      `${source} must hold one JSON object`,
      'Write, for example, {"name":"Rex","categoryId":7}.',
    );
  }
  rejectDuplicates(text, source);
  return readDraft(value as Record<string, unknown>, source);
}

/** Rejects duplicate fields, as an import does. `JSON.parse` keeps the last value without an error. */
function rejectDuplicates(text: string, source: string): void {
  const duplicate = findJsonDuplicate(text);
  if (duplicate === undefined) return;
  const { line, column, name } = duplicate;
  throw new UsageError(
    `${source}, line ${String(line)}, column ${String(column)}: duplicate field ${quoted(name)}`,
    'Remove one of the two.',
  );
}

/** The known fields of a new pet. */
export interface PetDraft {
  name?: string | undefined;
  categoryId?: bigint | undefined;
  status?: PetStatus | undefined;
}

/** Rejects an empty name. The interface specification has no other rule. */
export function checkName(source: string, name: string): string {
  if (name !== '') return name;
  throw new UsageError(`${source} is empty`, 'A pet needs a name.');
}

/** Validates a status from a file or a prompt. */
export function checkStatus(source: string, status: unknown): PetStatus {
  return isPetStatus(status) ? status : choice(source, PET_STATUSES, String(status));
}

function readDraft(fields: Readonly<Record<string, unknown>>, source: string): PetDraft {
  for (const field of Object.keys(fields)) {
    if (FIELDS.includes(field)) continue;
    const meant = suggest(field, FIELDS);
    throw new UsageError(
      `${source}: unknown field ${quoted(field)}`,
      field === 'id'
        ? 'The command creates a new pet, which gets a new id. To create one anyway, remove the id.'
        : meant === undefined
          ? `Known fields: ${FIELDS.join(', ')}.`
          : `Did you mean "${meant}"?`,
    );
  }
  const { name, categoryId, status } = fields;
  if (name !== undefined && typeof name !== 'string') {
    throw new UsageError(`${source}: name must be a string`, 'Put it in double quotes.');
  }
  return {
    ...(name === undefined ? {} : { name: checkName(`${source}: name`, name) }),
    ...(categoryId === undefined ? {} : { categoryId: readCategory(categoryId, source) }),
    ...(status === undefined ? {} : { status: checkStatus(`${source}: status`, status) }),
  };
}

function readCategory(value: unknown, source: string): bigint {
  return toInt64(value) ?? int64(`${source}: categoryId`, String(value));
}
