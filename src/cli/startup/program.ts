/**
 * The program that `main.ts` loads. The build bundles the imports of this file into one chunk. Code that only some commands
 * need is in other chunks (tsup.config.ts).
 */
export { runProcess } from '../program/lifecycle.js';
export * as commandPage from '../help/command-page.js';
export * as examples from '../help/examples.js';
export * as describeFields from '../help/describe-fields.js';
export * as inputFile from '../files/input-file.js';
export * as importFields from '../commands/pets/import/import-fields.js';
export * as importOptions from '../commands/pets/import/import-options.js';
export * as petView from '../commands/pets/pet-view.js';
