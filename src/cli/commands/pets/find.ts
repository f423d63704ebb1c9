import { toInt64 } from '../../../schema/int64.js';
import { argument, offering, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { followUp } from '../../session/follow-up.js';
import { findListed } from './get.js';
import { listPets } from './list.js';
import { PET_OUTPUT, petListView, storeShownPets } from './pet-view.js';

const ARGUMENTS = {
  wanted: argument(
    '<text|id>',
    'A part of the name, in any letter case, or an identifier (int64)',
    offering('pet-id', (word) => toInt64(word) ?? word),
  ),
};

export const find = defineCommand({
  word: 'find',
  summary: 'Search the pets that can be listed',
  description: 'Search the pets that can be listed by a part of the name, or by id.',
  arguments: ARGUMENTS,
  fields: PET_OUTPUT,
  examples: ['petstore pets find rex', 'petstore pets find 7', 'petstore pets find rex --json id,name'],
  notes: `Result:
- It is always a list. A text lists the same pets as pets list --all --name TEXT.
- A whole number is an id. To search names for it, use pets list --all --name.
- An id that is not listed ends with exit code 4. If a list was full,
  the pet may still exist: the service lists at most 100 pets per request.`,
  run: findPets,
});

async function findPets({ wanted }: ValuesOf<typeof ARGUMENTS>, session: Session): Promise<undefined> {
  if (typeof wanted === 'string') return listPets({ all: true, name: wanted }, session);
  const id = String(wanted);
  const [byId, byName] = [
    ['pets', 'get', id],
    ['pets', 'list', '--all', '--name', id],
  ].map((words) => followUp(words, session.given));
  const hint = [
    `To request it by its id, run: ${String(byId)}`,
    `To search the names for it, run: ${String(byName)}`,
  ];
  const found = [await findListed(wanted, hint, session)];
  await session.print(petListView(found));
  await storeShownPets(found, session);
}
