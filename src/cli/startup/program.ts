/**
 * The program that `main.ts` loads. The build puts what this file imports into one chunk, and all that only some commands
 * need into others (tsup.config.ts).
 */
export { runProcess as live } from '../program/lifecycle.js';
export * as client from '../../client/index.js';
export * as commandPage from '../help/command-page.js';
export * as examples from '../help/examples.js';
export * as describeFields from '../help/describe-fields.js';
