import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { runLine } from '../../../../src/cli/program/run-line.js';
import { type Context, Interruption } from '../../../../src/cli/system/context.js';
import { fakeContext, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** What a mock writes to its ready file. */
interface Ready {
  pid: number;
  port: number;
  url: string;
  baseUrl: string;
  keys: string[];
}

/** Runs `petstore mock` on a free port, with a ready file, until stop(). */
export async function runMock(
  flags: readonly string[],
  { currentDirectory: folder = temporaryFolder(), ...world }: World = {},
  changed: Partial<Context> = {},
) {
  const controller = new AbortController();
  const { signal } = controller;
  const fake = fakeContext({ signal, currentDirectory: folder, env: {}, ...world });
  const argv = ['mock', '--port', '0', '--ready-file', 'ready.json', ...flags];
  const ended = runLine(argv, { ...fake.context, ...changed });
  const ready = await Promise.race([
    vi.waitFor(() => JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')) as Ready, {
      timeout: 10_000,
    }),
    ended.then((exitCode) => Promise.reject(new Error(`ended with ${String(exitCode)}: ${fake.stderr()}`))),
  ]);
  return {
    ...fake,
    ready,
    folder,
    stop() {
      controller.abort(new Interruption(143));
      return ended;
    },
  };
}
