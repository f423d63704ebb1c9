import type { Session } from '../../src/cli/session/action.js';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import { createSession } from '../../src/cli/session/session.js';
import { fakeContext, type World } from './fake-context.js';
import { parseLine } from './parse-line.js';

/** The session that a command line would get, and the options of its command. Nothing is run. */
export async function sessionFor(
  line: string,
  world: World = {},
): Promise<{ session: Session; options: unknown; stdout: () => string; stderr: () => string }> {
  const { global, options } = await parseLine(line);
  const { context, stdout, stderr } = fakeContext(world);
  return { session: createSession(global, context, readCommandTree), options, stdout, stderr };
}
