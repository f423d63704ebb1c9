import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { shellWords } from '../support/parse-line.js';
import { IS_FULL } from '../support/random-runs.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KEY = 'sk-Process+Secret/0123456789';

/** Records the arguments and the environment of each process: other users can see the arguments. */
const RECORD = `
  const { writeFileSync } = require('node:fs');
  const seen = { argv: [process.execPath, ...process.execArgv, ...process.argv], env: process.env };
  writeFileSync(process.env.RECORDS + '/' + process.pid + '.json', JSON.stringify(seen));
`;

type Line = readonly [line: string, key: 'typed' | 'stored' | 'environment'];
const MORE_LINES: readonly Line[] = [
  ['auth status', 'stored'],
  ['pets list', 'stored'],
  ['pets import pets.csv', 'stored'],
  ['limits', 'environment'],
  ['__complete bash 2 -- pets get', 'environment'],
];
const LINES: readonly Line[] = [
  ['auth login --with-key', 'typed'],
  ['pets create --name Rex --category 7 -v', 'environment'],
  ['doctor', 'stored'],
  ...(IS_FULL ? MORE_LINES : []),
  ['auth logout', 'stored'],
];

// Linux only: on other systems the test would use the keychain of the developer.
test.runIf(process.platform === 'linux')(
  'the key is in no argument, no output and no file except the key file (more commands with PETSTORE_TEST_FULL=1)',
  async () => {
    const server = await createMock({ keys: [KEY], plan: 'unlimited' }).listen();
    const folder = temporaryFolder({ 'record.cjs': RECORD, 'pets.csv': 'name,categoryId\nRex,7\n' });
    const records = join(folder, 'records');
    mkdirSync(records);
    let keyFiles = 0;
    try {
      for (const [line, key] of LINES) {
        const { exitCode, stdout, stderr } = await runCli(shellWords(line), {
          cwd: folder,
          input: key === 'typed' ? `${KEY}\n` : '',
          env: {
            HOME: folder,
            XDG_CACHE_HOME: join(folder, 'cache'),
            PETSTORE_CONFIG_DIR: join(folder, 'config'),
            PETSTORE_STATE_DIR: join(folder, 'state'),
            PETSTORE_GATE: 'file',
            PETSTORE_DEBUG: '1',
            PETSTORE_BASE_URL: server.baseUrl,
            NODE_OPTIONS: `--require ${join(folder, 'record.cjs')}`,
            RECORDS: records,
            // Makes the keychain of this machine unreachable.
            DBUS_SESSION_BUS_ADDRESS: 'disabled:',
            ...(key === 'environment' ? { PETSTORE_API_KEY: KEY } : {}),
          },
        });
        // The result of doctor depends on the machine.
        if (line !== 'doctor') expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
        expect(stdout + stderr).not.toContain(KEY);
        for (const [path, text] of filesBelow(folder)) {
          if (path.endsWith('.key')) keyFiles += 1;
          else if (!path.startsWith(records)) expect(text.includes(KEY), `${line}: ${path}`).toBe(false);
        }
      }
    } finally {
      await server.close();
    }
    expect(keyFiles).toBeGreaterThan(0);
    expectHidden(filesBelow(records).map(([, text]) => text));
    expect(readdirSync(join(folder, 'config/keys'))).toEqual([]);
  },
);

/** Checks that no argument contains the key, and that the keychain process gets no secret variables. */
function expectHidden(records: readonly string[]): void {
  const processes = records.map(
    (text) => JSON.parse(text) as { argv: string[]; env: Record<string, string> },
  );
  // One process for each line, and another one for the keychain.
  expect(processes.length).toBeGreaterThan(LINES.length);
  for (const { argv, env } of processes) {
    expect(argv.join(' ')).not.toContain(KEY);
    if (argv.some((word) => word.includes('keychain')))
      expect(JSON.stringify(env)).not.toMatch(/PETSTORE_|sk-/);
  }
}

function filesBelow(folder: string): (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
}
