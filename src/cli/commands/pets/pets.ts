import type { CommandGroup } from '../../session/command.js';
import { create } from './create.js';
import { exportCommand } from './export.js';
import { find } from './find.js';
import { get } from './get.js';
import { importCommand } from './import/import.js';
import { list } from './list.js';

export const pets: CommandGroup = {
  word: 'pets',
  description: 'List, find, show, create, import and export pets.',
  examples: ['petstore pets list', 'petstore pets get 7', 'petstore pets create --name Rex --category 7'],
  commands: [list, find, get, create, importCommand, exportCommand],
};
