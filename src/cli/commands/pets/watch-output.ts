import type { Pet } from '../../../schema/pet-reader.js';
import type { Session } from '../../session/session.js';
import { timeOfDay } from '../../../time/duration.js';
import {
  cellText,
  createPainter,
  fieldValue,
  type OutputFormat,
  type Painter,
  type PaintStyle,
  render,
  toNdjson,
  toTerminalLine,
} from '../../output/index.js';
import { changedFields, type PetChange } from './pet-changes.js';
import { PET_COLUMNS, petListView } from './pet-view.js';

const WATCH_FORMATS: readonly OutputFormat[] = ['table', 'ndjson', 'csv', 'tsv'];

/** Whether a format can be written in parts and can show events. */
export function isWatchFormat(format: OutputFormat): boolean {
  return WATCH_FORMATS.includes(format);
}

/**
 * Prints a list and its changes. For people: a table, then one line per change. For programs: one event per line.
 *
 * - ndjson has `{"event","pet"}`. Pets of the first list are added, with `initial: true`.
 * - A change has `previous`, and a pet that may not be new has `certain: false`.
 * - csv and tsv have the event before the columns of the pet.
 */
export async function createChangeOutput(session: Session) {
  const { context, format, global, terminal } = session;
  const { isTTY, colorLevel } = terminal.stdout;
  const painter = await createPainter(colorLevel);
  const textOf = async (changes: readonly PetChange[]): Promise<string> => {
    if (format === 'ndjson') return toNdjson(changes.map(toEvent), isTTY);
    if (format !== 'table') return renderRows(changes, false, session);
    const time = timeOfDay(context.clock.now());
    return changes.map((change) => `${time} ${describeChange(change, painter)}\n`).join('');
  };
  return {
    async first(pets: readonly Pet[]): Promise<void> {
      if (format === 'table') return session.print(petListView(pets));
      const initial = pets.map((pet) => ({ event: 'added' as const, initial: true, pet, certain: true }));
      const isEvents = format === 'ndjson';
      context.stdout.write(await (isEvents ? textOf(initial) : renderRows(initial, global.header, session)));
    },
    async changes(changes: readonly PetChange[]): Promise<void> {
      const text = await textOf(changes);
      if (text !== '') context.stdout.write(text);
    },
  };
}

function toEvent(change: PetChange): Record<string, unknown> {
  if (change.event !== 'added') return { ...change };
  const { pet, certain, ...rest } = change;
  return { ...rest, ...(certain ? {} : { certain }), pet };
}

function renderRows(
  changes: readonly PetChange[],
  header: boolean,
  { format, global }: Session,
): Promise<string> {
  const { columns } = petListView([]);
  const rows = changes.map(({ event, pet }) => ({ ...pet, event }));
  const view = { kind: 'list' as const, rows, columns: [{ field: 'event', header: 'event' }, ...columns] };
  return render(view, { format, header, csvRaw: global.csvRaw, colorLevel: 0, width: 80, isTTY: false });
}

const STYLES: Readonly<Record<PetChange['event'], PaintStyle>> = {
  added: 'green',
  changed: 'yellow',
  removed: 'red',
};

function describeChange(change: PetChange, painter: Painter): string {
  const { event, pet } = change;
  const subject = `${painter(STYLES[event], event.padEnd(7))} ${String(pet.id)} ${shown(pet.name)}`;
  if (event === 'changed') {
    const { previous } = change;
    const changed = changedFields(previous, pet).map(
      (field) =>
        `${shown(titleOf(field))} ${shown(fieldValue(previous, field))} -> ${shown(fieldValue(pet, field))}`,
    );
    return `${subject}: ${changed.join(', ')}`;
  }
  const rest = `${subject}, category ${String(pet.categoryId)}, status ${shown(pet.status)}`;
  return event === 'added' && !change.certain ? `${rest} (may not be new)` : rest;
}

function titleOf(field: string): string {
  return PET_COLUMNS.find((column) => column.field === field)?.header ?? field;
}

function shown(value: unknown): string {
  const text = toTerminalLine(cellText(value));
  return text === '' ? '-' : text;
}
