import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach } from 'vitest';
import { ENV, type Outcome, runFake, type Scripted, type World } from './fake-context.js';
import { temporaryFolder } from './temporary-folder.js';

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
/** Neither a key nor an address from the environment. */
export const NOTHING = { PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '' };

/** One check, as the JSON has it. */
export interface Found {
  state: string;
  finding: string;
  remedy: string | null;
}

/** What `doctor --json` said. */
export interface Examined extends Outcome {
  checks: (Found & { id: string })[];
  ok: boolean;
  /** Throws where there is no such check. */
  found(id: string): Found;
}

/** A response with an empty list, sent at this time. */
export function responseAt(timeMs: number, response: Exclude<Scripted, Error | 'never'> = {}): Scripted {
  return { body: '[]', ...response, headers: { date: new Date(timeMs).toUTCString(), ...response.headers } };
}

/** Folders of its own for each test, and what a run in them comes to. */
export function doctorIn() {
  const directories = { config: '', state: '' };
  beforeEach(() => {
    const folder = temporaryFolder();
    directories.config = join(folder, 'config');
    directories.state = join(folder, 'state');
  });
  const env = (more: World['env'] = {}): Record<string, string> => ({
    ...ENV,
    PETSTORE_CONFIG_DIR: directories.config,
    PETSTORE_STATE_DIR: directories.state,
    ...more,
  });
  return {
    directories,
    env,
    /** Writes a file into the configuration, for its owner alone unless a mode says otherwise. */
    configure(name: string, content: unknown, mode = 0o600): string {
      const path = join(directories.config, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
      return path;
    },
    async doctor(world: World = {}, flags = ''): Promise<Examined> {
      const outcome = await runFake(`doctor --json ${flags}`, {
        responses: [responseAt(NOW)],
        now: NOW,
        // The time limit of the request never expires.
        endlessFromMs: 10_000,
        ...world,
        env: env(world.env),
      });
      if (!outcome.stdout.startsWith('{')) throw new Error(`no diagnosis: ${outcome.stderr}`);
      const { checks, ok } = JSON.parse(outcome.stdout) as Pick<Examined, 'checks' | 'ok'>;
      const found = (id: string): Found => {
        const check = checks.find((each) => each.id === id);
        if (check === undefined) throw new Error(`no check ${id}`);
        const { state, finding, remedy } = check;
        return { state, finding, remedy };
      };
      return { ...outcome, checks, ok, found };
    },
  };
}

/** A world in which requests fail with this code. */
export function failsWith(code: string): World {
  return { responses: [Object.assign(new Error('it failed'), { code })] };
}
