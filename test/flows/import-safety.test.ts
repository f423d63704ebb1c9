import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listening } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { withoutRetryWait } from '../support/retry-wait.js';
import { startCli } from '../support/run-cli.js';
import { type Responder, head, startScriptedServer } from '../support/scripted-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROWS = 'name,categoryId,status\nRex,7,sold\nMia,8,\nBo,9,\n';

interface StoredPet {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

/** What a test decides about a POST: whether and when it responds, and when it is carried out. */
type OnPost = (carryOut: () => StoredPet, respond: (pet: StoredPet) => void, pet: StoredPet) => void;

/** A folder with rows and a service that keeps pets. */
async function setUp(onPost: OnPost = (carryOut, respond) => respond(carryOut())) {
  const pets: StoredPet[] = [];
  const posts: string[] = [];
  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const service = { onPost };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'POST') return send(response, 200, pets);
      const pet = { id: 0, ...(JSON.parse(text) as Omit<StoredPet, 'id'>) };
      posts.push(pet.name);
      const carryOut = (): StoredPet => {
        pets.push(Object.assign(pet, { id: 100 + pets.length }));
        return pet;
      };
      return service.onPost(carryOut, (created) => send(response, 201, created), pet);
    });
  });
  const port = await listening(server);
  const folder = temporaryFolder({ 'pets.csv': ROWS });
  const env = {
    PETSTORE_BASE_URL: `http://127.0.0.1:${String(port)}/v1`,
    PETSTORE_API_KEY: 'sk-first',
    PETSTORE_STATE_DIR: join(folder, 'state'),
  };
  return {
    pets,
    posts,
    service,
    folder,
    env,
    run: (line: string, more: Record<string, string> = {}) =>
      runResident(line.split(' '), { cwd: folder, env: { ...env, ...more } }),
    start: (line: string, more: Record<string, string> = {}) =>
      startCli(line.split(' '), { cwd: folder, env: { ...env, ...more } }),
    replace: (text: string) => writeFileSync(join(folder, 'pets.csv'), text),
  };
}

const namesOf = (pets: readonly StoredPet[]) => pets.map(({ name }) => name).sort();
const RETRY = 'pets import pets.csv --on-unknown retry --timeout 200ms --json';

describe('--on-unknown retry', () => {
  test('at a service that carries writes out late, also with changes: creates no pet twice', async () => {
    const late: (() => StoredPet)[] = [];
    const changes: Readonly<Record<string, object>> = { Rex: { status: 'pending' }, Mia: { name: ' MIA ' } };
    const { pets, posts, folder, start } = await setUp((carryOut) => late.push(carryOut));
    const go = join(folder, 'go');
    const command = start(RETRY, withoutRetryWait(go));
    await command.seen('stderr', /Waiting 30 s before 3 rows of unknown outcome are sent again/);
    expect(posts).toEqual(['Rex', 'Mia', 'Bo']);
    for (const carryOut of late) {
      const pet = carryOut();
      Object.assign(pet, changes[pet.name]);
    }
    writeFileSync(go, '');
    const { exitCode, stdout, stderr } = await command.finished;
    expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({
      exitCode: 10,
      unknown: 3,
      sent: 3,
    });
    expect(stderr).toMatch(
      /line 2: unknown: Rex, category 7: resembles pet 100\n[^]*Mia, category 8: resembles pet 101\n[^]*Bo, category 9: matches pet 102\n/,
    );
    expect([posts.length, pets.length]).toEqual([3, 3]);
  });

  test.runIf(IS_FULL)(
    'sends each row at most once more in a run, also after a kill (PETSTORE_TEST_FULL=1)',
    async () => {
      const { posts, start } = await setUp(() => undefined);
      const killed = start(`${RETRY} --concurrency 1`, withoutRetryWait());
      await killed.seen('stderr', /Waiting 30 s/);
      killed.child.kill('SIGKILL');
      await killed.finished;
      const before = posts.length;
      expect(before).toBeLessThanOrEqual(6);
      const resumed = await start(`${RETRY} --resume`, withoutRetryWait()).finished;
      expect({ exitCode: resumed.exitCode, ...(JSON.parse(resumed.stdout) as object) }).toMatchObject({
        exitCode: 10,
        created: 0,
        unknown: 3,
        left: 0,
        rows: 3,
        sent: 3,
      });
      expect(posts.slice(before).sort()).toEqual(['Bo', 'Mia', 'Rex']);
    },
  );
});

describe('a file with the name of an earlier one', () => {
  test('of other rows is imported, and the journal of the earlier one is kept', async () => {
    const { pets, folder, run, replace } = await setUp();
    await run('pets import pets.csv');
    replace('name,categoryId\nTom,1\n');
    const { exitCode, stderr } = await run('pets import pets.csv');
    expect(exitCode).toBe(0);
    const [, kept] = /The journal of the finished import is now (pets\.csv\.journal\.\d{4}-\d\d-\d\d)\./.exec(
      stderr,
    )!;
    expect(readFileSync(join(folder, kept!), 'utf8')).toContain('=3:102');
    expect(namesOf(pets)).toEqual(['Bo', 'Mia', 'Rex', 'Tom']);
  });

  test.each(['', ' --yes', ' --no-input'])(
    'with equal rows sends nothing without --resume (%s)',
    async (flags) => {
      const { pets, run, replace } = await setUp();
      await run('pets import pets.csv');
      replace(ROWS.replace('Mia', 'Mimi'));
      const { exitCode, stdout, stderr } = await run(`pets import pets.csv${flags}`);
      expect({ exitCode, stdout, pets: pets.length }).toEqual({ exitCode: 2, stdout: '', pets: 3 });
      expect(stderr).toMatch(
        /^error: 2 of 3 rows in pets\.csv equal rows that the import of \d{4}-\d\d-\d\d \d\d:\d\d created \(journal pets\.csv\.journal\)\nhint: To send only the other rows, run: petstore pets import pets\.csv --resume(?: --yes)?\nhint: Keep this journal: with another one, all rows are sent again\.\n$/,
      );
      const resumed = await run('pets import pets.csv --resume --json');
      expect(JSON.parse(resumed.stdout)).toMatchObject({ created: 1, alreadyDone: 2, rows: 3, sent: 1 });
      expect(namesOf(pets)).toEqual(['Bo', 'Mia', 'Mimi', 'Rex']);
    },
  );
});

test('another spelling of the address is the same service', async () => {
  const { env, posts, run } = await setUp();
  await run('pets import pets.csv');
  const again = await run('pets import pets.csv --json', { PETSTORE_BASE_URL: `${env.PETSTORE_BASE_URL}/` });
  expect({ exitCode: again.exitCode, ...(JSON.parse(again.stdout) as object) }).toMatchObject({
    exitCode: 0,
    alreadyDone: 3,
    sent: 0,
  });
  expect(posts).toHaveLength(3);
});

describe('another API key than that of the journal', () => {
  const OTHER = { PETSTORE_API_KEY: 'sk-second' };

  test.each(IS_FULL ? ['retry', 'accept-listed'] : ['retry'])(
    'needs --yes for --on-unknown %s',
    async (action) => {
      const { folder, env, posts, run, start } = await setUp((_, respond, pet) => {
        if (pet.name !== 'Mia') respond({ ...pet, id: pet.categoryId });
      });
      await run('pets import pets.csv --on-unknown skip --timeout 200ms');
      expect(readFileSync(join(folder, 'pets.csv.journal'), 'utf8')).not.toContain(env.PETSTORE_API_KEY);
      const line = `pets import pets.csv --resume --on-unknown ${action} --timeout 200ms`;
      const rejected = await run(line, OTHER);
      expect(rejected).toMatchObject({ exitCode: 2, stdout: '' });
      expect(rejected.stderr).toContain('Another API key started this journal.\n');
      expect(rejected.stderr).toContain('If both keys list the same pets, pass --yes.');
      expect(posts).toHaveLength(3);
      const confirmed = start(`${line} --yes`, { ...OTHER, ...withoutRetryWait() });
      expect((await confirmed.finished).exitCode).toBe(10);
      expect(posts).toHaveLength(action === 'retry' ? 4 : 3);
    },
  );

  test('is noted otherwise', async () => {
    const { run } = await setUp();
    await run('pets import pets.csv');
    const again = await run('pets import pets.csv', OTHER);
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Another API key') });
  });
});

test('late second responses on a connection: the row is unknown, and the others get their own pets', async () => {
  // Each connection has the responses that it still has to send. One is doubled.
  const waiting = new Map<number, string[]>();
  let created = 0;
  const respond: Responder = (socket, { method, body, connection }) => {
    const send = (text: string): void => {
      const length = String(Buffer.byteLength(text));
      socket.write(`${head(201, { 'content-type': 'application/json', 'content-length': length })}${text}`);
    };
    if (method === 'GET') return send('[]');
    const queue = waiting.get(connection) ?? [];
    waiting.set(connection, queue);
    created += 1;
    const text = body.replace('{', `{"id":${String(1_000 + created)},`);
    queue.push(text);
    if (created === 2) queue.push(text);
    return send(queue.shift()!);
  };
  const server = await startScriptedServer(respond);
  const names = Array.from({ length: 6 }, (_, row) => `pet ${String(row + 1)},7\n`);
  const folder = temporaryFolder({ 'pets.csv': `name,categoryId\n${names.join('')}` });
  const { exitCode, stdout } = await runResident(
    'pets import pets.csv --concurrency 1 --on-unknown skip --json created,unknown,unknownRows'.split(' '),
    {
      cwd: folder,
      env: {
        PETSTORE_BASE_URL: server.baseUrl,
        PETSTORE_API_KEY: 'k',
        PETSTORE_STATE_DIR: join(folder, 's'),
      },
    },
  );
  expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({
    exitCode: 10,
    created: 5,
    unknown: 1,
    unknownRows: [{ row: 3 }],
  });
  const journal = readFileSync(join(folder, 'pets.csv.journal'), 'utf8');
  expect(journal.match(/=\d:\d+/g)).toEqual(['=1:1001', '=2:1002', '=4:1004', '=5:1005', '=6:1006']);
});
