/**
 * The program that `main.ts` loads. The build bundles the imports of this file into one chunk. Code that only some commands
 * need is in other chunks (tsup.config.ts).
 */
export { runProcess } from '../program/lifecycle.js';
export * as client from '../../client/index.js';
export * as commandPage from '../help/command-page.js';
export * as examples from '../help/examples.js';
export * as describeFields from '../help/describe-fields.js';
