import { expect, test } from 'vitest';
import { annotation, wantsAnnotations } from '../../../src/cli/progress/annotation.js';
import { ENV, runFake } from '../../support/fake-context.js';

const GITHUB = { ...ENV, PETSTORE_ANNOTATIONS: 'github' };

test("escapes text so that it can't end the line or start another", () => {
  expect(annotation('error', 'a:b,c%\r\n', '50% a:b,\r\n::error::x')).toBe(
    '::error title=a%3Ab%2Cc%25%0D%0A::50%25 a:b,%0D%0A::error::x\n',
  );
});

test.each([
  ['github', true],
  ['', false],
])('PETSTORE_ANNOTATIONS=%s: %s', (value, wanted) => {
  expect(wantsAnnotations({ env: { PETSTORE_ANNOTATIONS: value } })).toBe(wanted);
});

test('annotates an error only if PETSTORE_ANNOTATIONS is set', async () => {
  const responses = [
    { status: 401, body: '{"code":"c","message":"bad\\n::set-env::key, 100%","status":401}' },
  ];
  const plain = await runFake('pets list', { responses });
  expect(plain.stderr).not.toMatch(/^::/m);
  const { exitCode, stdout, stderr } = await runFake('pets list', { responses, env: GITHUB });
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr.startsWith(plain.stderr)).toBe(true);
  expect(stderr.slice(plain.stderr.length)).toMatch(
    /^::error title=petstore%3A exit code 3::bad[^\n]*::set-env::key, 100%25[^\n]*%0Ahint: [^\n]+\n$/,
  );
});

test('keeps a JSON error on a line of its own', async () => {
  const { stderr } = await runFake('pets list --limit 0 --json', { env: GITHUB });
  const [json, line, end] = stderr.split('\n');
  expect(JSON.parse(json!)).toMatchObject({ error: { exitCode: 2 } });
  expect(line).toMatch(/^::error title=/);
  expect(end).toBe('');
});

test('annotates a warning', async () => {
  const world = { responses: [{ body: '{"id":1,"name":"Rex","categoryId":7}' }], env: GITHUB };
  const { exitCode, stderr } = await runFake('pets get 1 --via get', world);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^warning: GET .*\n::warning title=petstore::GET .*\n$/);
  expect((await runFake('pets get 1 --via get --quiet', world)).stderr).toBe('');
});

test('annotates an exit code without an error', async () => {
  const env = { ...GITHUB, PETSTORE_API_KEY: '' };
  const { exitCode, stderr } = await runFake('doctor --offline -v', { env });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    'exit code: 1 (petstore help exit-codes)\n::error title=petstore%3A exit code 1::petstore doctor ended with exit code 1\n',
  );
});

test('rejects an unknown service', async () => {
  const env = { ...ENV, PETSTORE_ANNOTATIONS: 'gitlab' };
  expect(await runFake('pets list', { env })).toMatchObject({ exitCode: 2, requests: [] });
});
