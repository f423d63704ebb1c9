import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
/** Each layer with the layers that it may import. `schema`, `options`, `security`, `time`, `errors.ts`, `error-fields.ts`, `foreign-error.ts`, `node-module.ts` and `version.ts` are open to all. */
import LAYERS from './test/support/layers.json' with { type: 'json' };

/** Folders below a layer: the deepest file is `src/cli/commands/<noun>/<group>/<verb>.ts`. */
const DEPTH_MAX = 5;

/** Imports between layers run in one direction and name the layer's internal.ts, or index.ts where this is enough. */
function layerRules() {
  const names = Object.keys(LAYERS);
  return names.flatMap((layer) =>
    Array.from({ length: DEPTH_MAX }, (_, depth) => {
      const up = `^(\\.\\./){${String(depth + 1)}}`;
      const closed = names.filter(
        (name) => name !== layer && name !== 'schema' && !LAYERS[layer].includes(name),
      );
      return {
        files: [`src/${layer}/${'*/'.repeat(depth)}*.ts`],
        rules: {
          'no-restricted-imports': [
            'error',
            {
              patterns: [
                ownIndex,
                { regex: `${up}(${closed.join('|')})/`, message: `src/${layer} may not import this layer.` },
                {
                  regex: `${up}(${LAYERS[layer].join('|') || '-'})/(?!(?:index|internal)\\.js$)`,
                  message: 'Import another layer from its internal.ts or index.ts.',
                },
              ],
            },
          ],
        },
      };
    }),
  );
}

const ownIndex = {
  regex: '^(\\.\\.?/)+((index|internal)\\.js)?$',
  message: 'A file never imports the index.ts or internal.ts of its own folder: that makes circles.',
};

/**
 * Allows imports of the named packages only. The CLI's packages are development dependencies: if the library imported
 * one, the build would bundle it without a warning.
 */
function packages(allowed, typesOnly = [], more = []) {
  return {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(?!\\.|node:|(${[...allowed, ...typesOnly].join('|')})(/|$))`,
            message: 'This layer may not import this package (eslint.config.js, "packages").',
          },
          ...typesOnly.map((name) => ({
            regex: `^${name}(/|$)`,
            allowTypeImports: true,
            message: `Only one file imports ${name}; other files import only its types.`,
          })),
          ...more,
        ],
      },
    ],
  };
}

const CLI_PACKAGES = [
  '@inquirer/prompts',
  '@jmespath-community/jmespath',
  'chalk',
  'cli-table3',
  'commander',
  'string-width',
  'yaml',
  'zod',
];

/** Prettier decides the layout: a literal that is spread into a literal only puts more properties on a line. */
function spreadLiterals(literals) {
  const direct = `SpreadElement > :matches(${literals.join(', ')})`;
  const typed = `SpreadElement > :matches(TSAsExpression, TSSatisfiesExpression) > :matches(${literals.join(', ')})`;
  return [direct, typed].map((selector) => ({
    selector,
    message: 'Write each property in the literal itself.',
  }));
}

/** Meaning is data: no code looks into a sentence of this project. A field carries the meaning. */
function sentencesTakenApart() {
  const message = 'Do not take a sentence apart. Put its meaning into a field.';
  const names = '/^(message|hint|remedy|summary|when|advice|fix)$/';
  const methods =
    '/^(startsWith|endsWith|includes|indexOf|match|matchAll|replace|search|slice|split|substring)$/';
  const objects = [`[callee.object.name=${names}]`, `[callee.object.property.name=${names}]`];
  return [
    // A placeholder that is known, such as a path, is not a sentence.
    ...objects.map((object) => ({
      selector: `CallExpression[callee.property.name=${methods}]${object}:not([arguments.0.type=/^(Identifier|MemberExpression)$/])`,
      message,
    })),
    ...['[arguments.0.name', '[arguments.0.property.name'].map((argument) => ({
      selector: `CallExpression[callee.property.name=/^(test|exec)$/]${argument}=${names}]`,
      message,
    })),
  ];
}

export default defineConfig(
  { ignores: ['dist', 'coverage'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `typeof import('undici')` names the type of a lazily loaded module.
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // The service deprecates `pets.get`; the library still offers it.
      '@typescript-eslint/no-deprecated': ['error', { allow: ['get'] }],
      // An empty environment variable counts as unset, so `||` on strings is intended.
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true, boolean: true }, ignoreTernaryTests: true },
      ],
      // The reason of an AbortSignal can be any value.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Off, because they report sound code here: callers in JavaScript pass values that the types exclude, closures
      // change what the compiler takes for constant, objects are made by closures without `this`, and an async function
      // without await turns a throw into a rejection.
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // Off, because the compiler reports unused names, and there are no enums.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
        ...spreadLiterals(['ObjectExpression']),
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      ...packages(['zod'], ['undici']),
      'no-console': 'error',
      'no-restricted-imports': ['error', { patterns: [ownIndex] }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
        {
          // A library may warn and read its process id, user and platform. Everything else comes from main.ts through the context.
          selector:
            'MemberExpression[object.name="process"]:not([property.name=/^(emitWarning|getBuiltinModule|geteuid|hrtime|pid|kill|platform|uptime)$/])',
          message: 'Only src/cli/startup/main.ts reads process.*; other files use the context.',
        },
        ...spreadLiterals(['ObjectExpression', 'ArrayExpression']),
        ...sentencesTakenApart(),
      ],
    },
  },
  ...layerRules(),
  {
    files: ['src/bulk/**/*.ts'],
    rules: packages(
      ['csv-parse'],
      [],
      [
        {
          regex: '/client/internal\\.js$',
          allowTypeImports: true,
          message: 'Bulk code receives a client and never creates one.',
        },
      ],
    ),
  },
  { files: ['src/cli/**/*.ts'], rules: packages(CLI_PACKAGES) },
  { files: ['src/client/transport/undici.ts'], rules: packages(['undici']) },
  { files: ['src/client/gate/redis/redis-client.ts'], rules: packages(['@redis/client']) },
  { files: ['src/domain/**/*.ts'], rules: packages(['tldts']) },
  { files: ['src/domain/dns/**/*.ts'], rules: packages(['dns-packet']) },
  { files: ['src/mock/dns/**/*.ts'], rules: packages(['dns-packet']) },
  { files: ['src/mock/msw.ts'], rules: packages(['msw']) },
  { files: ['src/mock/ui/**/*.ts'], rules: packages(['htm', 'preact']) },
  // A public entry file of its own, which imports the mock's.
  { files: ['src/mock/msw.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['src/cli/startup/main.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  // A list of facts, not code.
  { files: ['src/domain/advice/provider-data.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['test/**/*.ts', '*.config.ts'],
    // Rules that need types take most of the time of the linter. In tests only those for forgotten promises find errors
    // that the compiler does not.
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.recommended],
    rules: {
      'no-restricted-syntax': ['error', ...spreadLiterals(['ObjectExpression'])],
      'no-undef': 'off',
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
