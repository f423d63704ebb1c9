/**
 * The program that `main.ts` loads. The build bundles the imports of this file into one chunk. Code that only some commands
 * need is in other chunks (tsup.config.ts).
 */
export { runProcess } from '../program/run-process.js';
export * as inputFile from '../system/files/input-file.js';
export * as petView from '../commands/pets/pet-view.js';
export * as importOptions from '../commands/pets/import/import-options.js';
export * as followUp from '../session/follow-up.js';
