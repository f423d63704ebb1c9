import type { Session } from '../../src/cli/session/session.js';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import { createSession } from '../../src/cli/session/create-session.js';
import { fakeContext, type World } from './fake-context.js';
import { parseLine } from './parse-line.js';

/** Creates the session and the options that a command line would get, without running the command. */
export async function sessionFor(
  line: string,
  world: World = {},
): Promise<{ session: Session; options: unknown; stdout: () => string; stderr: () => string }> {
  const { global, options, given } = await parseLine(line);
  const { context, stdout, stderr } = fakeContext(world);
  return { session: createSession(global, context, readCommandTree, given), options, stdout, stderr };
}
