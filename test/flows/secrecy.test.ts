import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { shellWords } from '../support/parse-line.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KEY = 'sk-Process+Secret/0123456789';

/** Notes of each process that starts what anybody on the machine could see of it. */
const RECORD = `
  const { writeFileSync } = require('node:fs');
  const seen = { argv: [process.execPath, ...process.execArgv, ...process.argv], env: process.env };
  writeFileSync(process.env.RECORDS + '/' + process.pid + '.json', JSON.stringify(seen));
`;

const LINES: readonly (readonly [line: string, key: 'typed' | 'stored' | 'environment'])[] = [
  ['auth login --with-key', 'typed'],
  ['auth status', 'stored'],
  ['pets list', 'stored'],
  ['pets create --name Rex --category-id 7 -v', 'environment'],
  ['pets import pets.csv', 'stored'],
  ['limits', 'environment'],
  ['doctor', 'stored'],
  ['commands --man man', 'environment'],
  ['__complete bash 2 -- pets get', 'environment'],
  ['auth logout', 'stored'],
];

// Elsewhere there is a keychain without a bus, and it is the developer's own.
test.runIf(process.platform === 'linux')(
  'the key of a process is in no argument, no output and no file but the one that keeps it',
  async () => {
    const server = await createMock({ keys: [KEY], plan: 'unlimited' }).listen();
    const folder = temporaryFolder({ 'record.cjs': RECORD, 'pets.csv': 'name,categoryId\nRex,7\n' });
    const records = join(folder, 'records');
    mkdirSync(records);
    let kept = 0;
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
            // No keychain of the machine is touched: there is no bus to it.
            DBUS_SESSION_BUS_ADDRESS: 'disabled:',
            ...(key === 'environment' ? { PETSTORE_API_KEY: KEY } : {}),
          },
        });
        // What doctor finds is the machine's affair.
        if (line !== 'doctor') expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
        expect(stdout + stderr).not.toContain(KEY);
        for (const [path, text] of filesBelow(folder)) {
          if (path.endsWith('.key')) kept += 1;
          else if (!path.startsWith(records)) expect(text.includes(KEY), `${line}: ${path}`).toBe(false);
        }
      }
    } finally {
      await server.close();
    }
    expect(kept).toBeGreaterThan(0);
    expectUnseen(filesBelow(records).map(([, text]) => text));
    expect(readdirSync(join(folder, 'config/keys'))).toEqual([]);
  },
);

/** By other processes of the machine: arguments are for everybody to see. */
function expectUnseen(records: readonly string[]): void {
  const processes = records.map(
    (text) => JSON.parse(text) as { argv: string[]; env: Record<string, string> },
  );
  // Each line is one, and those that ask the keychain are two.
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
