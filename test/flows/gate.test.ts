import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { runCli, startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KEY = 'mock-key';
const FREE_MINUTE = 60;
/** Commands at a time, and how many of them are killed. */
const [COMMANDS, KILLS] = IS_FULL ? [5, 2] : [3, 1];
/** The commands share the rest: each runs about twice. */
const USED_BY_OTHERS = IS_FULL ? 52 : 56;

/** Starts a mock at the beginning of a minute. `env` makes commands share a file gate. */
async function startService(latencyMs = 0) {
  const mock = createMock({ plan: 'free', latencyMs });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  onTestFinished(() => close());
  const list = (): Promise<Response> =>
    fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${KEY}` } });
  // Windows start at whole minutes. The test must fit into one.
  await list();
  mock.advance('until-reset');
  const state = temporaryFolder();
  const env = {
    PETSTORE_BASE_URL: baseUrl,
    PETSTORE_API_KEY: KEY,
    PETSTORE_GATE: 'file',
    PETSTORE_STATE_DIR: state,
  };
  const statuses = () => mock.journal.map(({ status }) => status);
  return { env, state, list, statuses };
}

test('parallel commands on one key get no 429 and use up the limit, even if some are killed (five with PETSTORE_TEST_FULL=1)', async () => {
  const { env, state, list, statuses } = await startService(30);
  // Another program has used most of the minute limit.
  await Promise.all(Array.from({ length: USED_BY_OTHERS }, list));
  const before = statuses().length;
  let kills = KILLS;
  const exits: (number | null)[] = [];
  const loop = async (): Promise<void> => {
    for (let runs = 0; runs < FREE_MINUTE; runs += 1) {
      const running = startCli(['pets', 'list', '--limit', '1', '--max-wait', '5s'], { env });
      // At a different point of the command each time.
      if (runs === 1 && kills-- > 0) setTimeout(() => running.child.kill('SIGKILL'), 60 + 70 * kills);
      const { exitCode } = await running.finished;
      exits.push(exitCode);
      if (exitCode === 6) return;
    }
  };
  await Promise.all(Array.from({ length: COMMANDS }, loop));
  const after = statuses().slice(before);
  expect(after).not.toContain(429);
  expect(new Set(exits)).toEqual(new Set([0, 6, null]));
  // The unsent request of a killed process counts as sent until a response shows otherwise.
  expect(after.length).toBeGreaterThanOrEqual(FREE_MINUTE - USED_BY_OTHERS - KILLS);
  expect(after.length).toBeLessThanOrEqual(FREE_MINUTE - USED_BY_OTHERS);

  const [budget = ''] = readdirSync(join(state, 'gate'));
  const folder = join(state, 'gate', budget);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await runResident(['limits', '--offline'], { env });
  for (const name of readdirSync(folder)) {
    expect(name).toMatch(/^petstore-budget-\d+$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/mock-key|127\.0\.0\.1/);
  }
}, 120_000);

test('a 429 response to one command holds back later commands until Retry-After has passed', async () => {
  const { env, list, statuses } = await startService();
  await Promise.all(Array.from({ length: FREE_MINUTE }, list));
  const line = ['pets', 'list', '--max-wait', '0s'];
  // The limit is unknown, so one command has to send a request.
  expect((await runCli(line, { env })).exitCode).toBe(6);
  const runs = await Promise.all([runResident(line, { env }), runResident(line, { env })]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([6, 6]);
  expect(statuses().filter((status) => status === 429)).toHaveLength(1);
  const { exitCode, stdout } = await runResident(['limits', '--offline', '--json'], { env });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ limit: FREE_MINUTE, remaining: 0, plan: 'free' });
}, 120_000);

test.runIf(IS_FULL)(
  'commands without time to wait send nothing without a permit, and exit with 6 (PETSTORE_TEST_FULL=1)',
  async () => {
    const { env, list, statuses } = await startService(500);
    await Promise.all(Array.from({ length: FREE_MINUTE - 3 }, list));
    const before = statuses().length;
    const line = ['pets', 'list', '--limit', '1', '--max-wait', '200ms'];
    const runs = await Promise.all(Array.from({ length: 5 }, () => runCli(line, { env })));
    const sent = statuses().slice(before);
    expect(sent).not.toContain(429);
    const rejected = runs.filter(({ exitCode }) => exitCode === 6);
    expect(sent).toHaveLength(runs.length - rejected.length);
    expect(rejected.length).toBeGreaterThan(0);
    // The service named a time only to those that started after its first response.
    const named =
      /^error: .* again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nhint: Pass --max-wait \d+s to wait\.\n$/;
    const unnamed =
      /^error: Not sent: the rate limit allowed no request within 200 ms\nhint: Pass --max-wait 5m to keep trying for longer\.\n$/;
    for (const { stderr } of rejected)
      expect(
        [named, unnamed].some((form) => form.test(stderr)),
        stderr,
      ).toBe(true);
  },
  120_000,
);

test.runIf(IS_FULL)(
  'an import without time to wait creates one pet for each request that is left, and no row is unknown (PETSTORE_TEST_FULL=1)',
  async () => {
    const { env, list, statuses } = await startService(200);
    await Promise.all(Array.from({ length: FREE_MINUTE - 3 }, list));
    const before = statuses().length;
    const file = join(temporaryFolder(), 'pets.csv');
    writeFileSync(file, `name,categoryId\n${'Rex,1\n'.repeat(6)}`);
    const line = ['pets', 'import', file, '-o', 'json', '--yes', '--max-wait', '0'];
    const { exitCode, stdout } = await runCli(line, { env });
    expect(exitCode).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ created: 3, unknown: 0, rejected: 0 });
    expect(statuses().slice(before)).toEqual([201, 201, 201]);
  },
  120_000,
);
