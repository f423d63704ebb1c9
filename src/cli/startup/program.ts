/**
 * The program that `main.ts` loads. The build bundles the imports of this file into one chunk. Code that only some commands
 * need is in other chunks (tsup.config.ts).
 */
export { runProcess } from '../program/lifecycle.js';
