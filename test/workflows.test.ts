import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv8/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { readSource, ROOT } from './support/source-tree.js';

const FOLDER = '.github/workflows';
const TEXT = { type: 'string', minLength: 1 };
const EVENT = { type: ['object', 'null'] };

/** The part of the workflow syntax of GitHub Actions that these files use. A misspelled key is an error. */
const SCHEMA = objectOf(
  {
    name: TEXT,
    on: objectOf({ push: EVENT, pull_request: EVENT, workflow_dispatch: EVENT }, []),
    permissions: { $ref: '#/$defs/permissions' },
    concurrency: { anyOf: [TEXT, objectOf({ group: TEXT, 'cancel-in-progress': { type: 'boolean' } })] },
    jobs: {
      type: 'object',
      additionalProperties: objectOf(
        {
          'runs-on': TEXT,
          'timeout-minutes': { type: 'integer', minimum: 1 },
          permissions: { $ref: '#/$defs/permissions' },
          environment: TEXT,
          env: { type: 'object', additionalProperties: TEXT },
          strategy: objectOf({
            'fail-fast': { type: 'boolean' },
            matrix: { type: 'object', additionalProperties: { type: 'array', minItems: 1 } },
          }),
          steps: {
            type: 'array',
            minItems: 1,
            items: {
              anyOf: [
                objectOf({ uses: { type: 'string', pattern: '^actions/[\\w-]+@v\\d+$' }, with: EVENT }, [
                  'uses',
                ]),
                objectOf({ run: TEXT }),
              ],
            },
          },
        },
        ['runs-on', 'timeout-minutes', 'steps'],
      ),
    },
  },
  ['name', 'on', 'permissions', 'jobs'],
  {
    permissions: {
      type: 'object',
      additionalProperties: false,
      properties: { contents: { const: 'read' }, 'id-token': { const: 'write' } },
    },
  },
);

interface Workflow {
  jobs: Record<string, { strategy?: { matrix: object }; permissions?: object; steps: { run?: string }[] }>;
}

const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => ({
  name,
  content: parse(readSource(`${FOLDER}/${name}`)) as Workflow,
}));

test.each(workflows)('$name follows the syntax of GitHub Actions', ({ content }) => {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(SCHEMA);
  validate(content);
  expect(validate.errors ?? []).toEqual([]);
});

test.each(workflows)('$name runs only .ci/run and npm scripts that exist', ({ content }) => {
  const lines = Object.values(content.jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    const [, script = line] = /^npm (?:run )?([\w:-]+)(?: -- --[\w-]+)?$/.exec(line) ?? [];
    const isKnown = script === 'ci' || script in packageJson.scripts;
    expect(isKnown || (line === 'bash .ci/run' && existsSync(join(ROOT, '.ci/run'))), line).toBe(true);
  }
});

test('the tests run on every supported Node.js and system, and a release signs its provenance', () => {
  const [release, tests] = ['release.yml', 'test.yml'].map(
    (file) => workflows.find(({ name }) => name === file)?.content.jobs,
  );
  expect(tests?.systems?.strategy?.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: [20, 22, 24, 26],
  });
  expect(release?.publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
});

function objectOf(properties: object, required = Object.keys(properties), $defs = {}): object {
  return { type: 'object', additionalProperties: false, properties, required, $defs };
}
