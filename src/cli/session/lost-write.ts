import { looseKey } from '../../bulk/internal.js';
import type { ListAllResult } from '../../client/internal.js';
import type { PetStoreError } from '../../errors.js';
import { toInt64 } from '../../schema/int64.js';
import { parseJson } from '../../schema/json.js';
import type { Pet } from '../../schema/pet-reader.js';
import { CommandFailure, UNCONFIRMED_HINT } from '../errors/command-failure.js';
import { messageForPeople, redirectHints } from '../errors/describe-failure.js';
import { EXIT } from '../errors/exit-codes.js';
import { Interruption } from '../system/context.js';
import { counted } from '../errors/counted.js';
import type { Session } from './session.js';
import { followUp } from './follow-up.js';
import { describeSessionFailure } from './session-failure.js';

type NamedPet = Pick<Pet, 'name' | 'categoryId'>;

/**
 * Describes the failure of a write that may have been carried out. Looks for the pet of a lost `POST /pets` itself: people
 * who miss their pet in a short list create it again. Never sends the write again.
 *
 * @returns the failure. A failed look-up changes neither its message nor its exit code.
 */
export async function explainLostWrite(error: PetStoreError, session: Session): Promise<CommandFailure> {
  const { signal } = session.context;
  const wasStopped = signal.aborted;
  const report = describeSessionFailure(error, session);
  const { status, code, requestId } = report;
  const pet = lostPet(error, session);
  const found = pet === undefined || wasStopped ? undefined : await lookUp(pet, session);
  const advice = pet === undefined ? UNCONFIRMED_HINT : adviceOf(pet, found, session);
  const reason: unknown = signal.reason;
  const stopCode = signal.aborted && reason instanceof Interruption ? reason.exitCode : EXIT.ok;
  return new CommandFailure(
    wasStopped
      ? 'Stopped after the request was sent; it may or may not have been carried out'
      : report.message,
    {
      type: 'unknown-outcome',
      status,
      code,
      requestId,
      // Not 0 if only the reader of stdout has closed: the user must know about the write.
      exitCode: stopCode === EXIT.ok ? EXIT.unknownOutcome : stopCode,
      hint: [advice, ...redirectHints(error)],
      cause: error,
      details: found && { matches: null, ...found.result },
    },
  );
}

/** The pet of a lost `POST /pets`; `undefined` for another request. */
function lostPet({ request }: PetStoreError, { baseUrl }: Session): NamedPet | undefined {
  if (request?.method !== 'POST' || request.body === undefined) return undefined;
  const list = new URL(`${baseUrl.replace(/\/+$/, '')}/pets`);
  const { origin, pathname } = new URL(request.url);
  if (origin !== list.origin || pathname !== list.pathname) return undefined;
  const { name, categoryId: category } = Object(parseJson(request.body)) as Partial<Record<string, unknown>>;
  const categoryId = toInt64(category);
  return typeof name === 'string' && categoryId !== undefined ? { name, categoryId } : undefined;
}

/** What the look-up found, or why it failed. */
type LookUp = Partial<Awaited<ReturnType<typeof lookUp>>>;

async function lookUp(pet: NamedPet, session: Session) {
  const { signal } = session.context;
  // Lines about waits would stay above the error.
  session.status.mute();
  let listed: ListAllResult;
  try {
    listed = await (await session.client()).pets.listAll(undefined, { signal });
  } catch (error) {
    return {
      problem: signal.aborted
        ? 'The look-up was stopped'
        : `The look-up failed: ${messageForPeople(describeSessionFailure(error, session))}`,
    };
  }
  const { pets, complete } = listed;
  const wanted = looseKey(pet);
  const matches = pets.filter((listed) => looseKey(listed) === wanted);
  return { result: { matches, listed: pets.length, complete } };
}

function adviceOf(pet: NamedPet, { problem, result }: LookUp = {}, session: Session): string {
  const search = `run: ${searchCommand(pet, session)}`;
  if (result === undefined) {
    const start = problem === undefined ? '' : `${problem}. `;
    return `${start}Do not create the pet again before you know. It may exist without being listed. To search for it, ${search}`;
  }
  const { matches, listed, complete } = result;
  const pets = counted(listed, 'listed pet');
  if (matches.length === 0) {
    const truncated = complete ? '' : ', and the list may be truncated';
    return `None of ${pets} matches by name and category. That is no proof: the service may still create it${truncated}. Do not create it again at once. Wait, then ${search}`;
  }
  const shown = matches.map(
    ({ id, name, status }) => `id ${String(id)} (${[name, status].filter(Boolean).join(', ')})`,
  );
  const [match, they] = matches.length === 1 ? ['matches', 'this pet'] : ['match', 'all of these pets'];
  return `${String(matches.length)} of ${pets} ${match} by name and category: ${shown.join(', ')}. Do not create the pet again. If ${they} existed before, wait, then ${search}`;
}

/** Searches the same service. */
function searchCommand({ name, categoryId }: NamedPet, { given }: Session): string {
  const filter = ['--name', name, '--category', String(categoryId)];
  return followUp(['pets', 'list', '--all', ...filter], given);
}
