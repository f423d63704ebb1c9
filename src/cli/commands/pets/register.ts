import type { CommandDeclaration } from '../../command-line/plain-line.js';
import type { Bind } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import { registerCreate } from './create.js';
import { registerExport } from './export.js';
import { registerGet } from './get.js';
import { registerImport } from './import/import.js';
import { registerList } from './list.js';

/** Registers the group `petstore pets`. */
export function registerPets(program: CommandDeclaration, bind: Bind): void {
  const pets = program
    .command('pets')
    .description('List, show, create, import and export pets.')
    .helpCommand(false);
  addExamples(pets, [
    'petstore pets list',
    'petstore pets get 7',
    'petstore pets create --name Rex --category-id 7',
  ]);
  registerList(pets, bind);
  registerGet(pets, bind);
  registerCreate(pets, bind);
  registerImport(pets, bind);
  registerExport(pets, bind);
}
