import { expect, test } from 'vitest';
import { complete, type Sources } from '../src/cli/commands/completion/complete.js';
import { readCommandTree } from '../src/cli/program/read-command-tree.js';
import { createMock } from '../src/mock/index.js';
import { handlers } from '../src/mock/msw.js';
import { pathPattern } from '../src/mock/service/openapi.js';
import { COMMAND_LINES } from './support/command-lines.js';
import { runFake } from './support/fake-context.js';
import { shellWords } from './support/parse-line.js';
import { filesBelow, readSource } from './support/source-tree.js';
import { SPECIFIED_OPERATIONS, type SpecifiedOperation } from './support/specification.js';

const BASE_URL = 'https://pets.test/v1';
const NO_SOURCES = {} as Sources;

const tree = await readCommandTree();
const resources = filesBelow('src/client/resources').map(readSource).join('\n');

/** The commands with the first request that --dry-run shows, such as `GET /pets/7`. */
const commands: (readonly [command: string, request: string])[] = [];
for (const [command, words] of Object.entries(COMMAND_LINES)) {
  const { stdout } = await runFake(shellWords(`${command} ${words} --dry-run`), { stdin: 'sk-typed\n' });
  const [, method, target = ''] = /^([A-Z]+) https:\/\/pets\.test\/v1([^?\s]*)/.exec(stdout) ?? [];
  if (method !== undefined) commands.push([command, `${method} ${target}`]);
}

const openApi = await describedByMsw();

/** What an operation needs, with its place. Returns whether it is there. */
const NEEDS: Readonly<Record<string, (operation: SpecifiedOperation) => boolean | Promise<boolean>>> = {
  'resource in src/client/resources': ({ name }) => resources.includes(`'${name}'`),
  'method in src/client/contract/pet-store.ts, with its path in the docstring': ({ method, path }) =>
    readSource('src/client/contract/pet-store.ts').includes(`\`${method} ${path}\``),
  'description in src/mock/service/openapi.ts': ({ name, method, path }) =>
    openApi[path]?.[method.toLowerCase()]?.operationId === name,
  'schema of its body in src/mock/service/openapi.ts': ({ method, path, hasBody }) =>
    hasBody === (openApi[path]?.[method.toLowerCase()]?.requestBody !== undefined),
  'response of the mock through msw: src/mock/http/routes.ts': async ({ method, path, hasBody }) => {
    const response = await sendByMsw(method, path.replace(/\{\w+\}/, '1'), hasBody ? '{}' : undefined);
    return ![404, 405].includes(response?.status ?? 404);
  },
  'command in src/cli/commands': (operation) => commandOf(operation) !== undefined,
  'completion of its command': async (operation) => {
    const [group = '', word] = commandOf(operation)?.split(' ') ?? [];
    const completion = await complete(tree, [group], '', NO_SOURCES);
    return completion !== 'files' && completion.some(({ value }) => value === word);
  },
  'section in docs/commands.md': (operation) =>
    readSource('docs/commands.md').includes(`\n## petstore ${commandOf(operation) ?? ''}\n`),
  'mention in docs/api/petstore.md': ({ method, path }) =>
    readSource('docs/api/petstore.md').includes(`${method} ${path}`),
};

test('every operation of docs/specification.md has its parts', async () => {
  expect(SPECIFIED_OPERATIONS.length).toBeGreaterThan(2);
  const missing: string[] = [];
  for (const operation of SPECIFIED_OPERATIONS)
    for (const [need, isMet] of Object.entries(NEEDS))
      if (!(await isMet(operation))) missing.push(`${operation.method} ${operation.path}: no ${need}`);
  expect(missing).toEqual([]);
});

function commandOf({ method, path }: SpecifiedOperation): string | undefined {
  const pattern = pathPattern(`${method} ${path}`, '[^/]+');
  return commands.find(([, request]) => pattern.test(request))?.[0];
}

async function describedByMsw() {
  const response = await sendByMsw('GET', '/openapi.json');
  const { paths } = (await response!.json()) as {
    paths: Record<string, Record<string, { operationId?: string; requestBody?: object }>>;
  };
  return paths;
}

async function sendByMsw(method: string, path: string, body?: string): Promise<Response | undefined> {
  const [handler] = handlers(createMock(), { baseUrl: BASE_URL });
  const headers = { authorization: 'Bearer mock-key', 'content-type': 'application/json' };
  const request = new Request(BASE_URL + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return (await handler!.run({ request, requestId: '1' }))?.response;
}
