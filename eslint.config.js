import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The layers, and which of them each may import. `schema`, `errors.ts` and `version.ts` are open to all. */
const LAYERS = {
  schema: [],
  client: [],
  domain: [],
  mock: [],
  bulk: ['client'],
  cli: ['bulk', 'client', 'domain', 'mock'],
};
/** Folders below a layer: the deepest file is `src/cli/commands/<noun>/<group>/<verb>.ts`. */
const DEPTH_MAX = 5;

/** Across layers one enters by the door, and one direction only. */
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
                ownDoor,
                { regex: `${up}(${closed.join('|')})/`, message: `src/${layer} may not import this layer.` },
                {
                  regex: `${up}(${LAYERS[layer].join('|') || '-'})/(?!index\\.js$)`,
                  message: 'Enter another layer by its index.ts.',
                },
              ],
            },
          ],
        },
      };
    }),
  );
}

const ownDoor = {
  regex: '^(\\.\\.?/)+(index\\.js)?$',
  message: 'A file never imports its own door: that makes cycles.',
};

/**
 * Packages, by allow-list: what the library imports beyond these would be bundled into it unseen, for the command
 * line's packages are development dependencies.
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
            message: `Only one file imports ${name}; elsewhere its types alone.`,
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

const OWN_LINES_MAX = 60;

/**
 * Length of a function, those that it holds left out: a factory is as long as the methods of what it makes, and each of
 * those is measured by itself.
 */
const ownLines = {
  create(context) {
    const held = [];
    return {
      ':function'() {
        held.push(0);
      },
      ':function:exit'(node) {
        const lines = node.loc.end.line - node.loc.start.line + 1;
        const own = lines - held.pop();
        if (own > OWN_LINES_MAX) {
          context.report({ node, message: `Function of ${own} lines of its own; at most ${OWN_LINES_MAX}.` });
        }
        if (held.length > 0) held.push(held.pop() + lines - 1);
      },
    };
  },
};

export default defineConfig(
  { ignores: ['dist', 'coverage'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `typeof import('undici')` is how a lazily loaded module is named.
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `pets.get` is deprecated by the service, and offered all the same.
      '@typescript-eslint/no-deprecated': ['error', { allow: ['get'] }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An empty environment variable is an unset one, so `||` on strings is meant.
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true, boolean: true }, ignoreTernaryTests: true },
      ],
      // The reason of an AbortSignal is whatever its owner gave.
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
      // Off, for they are wrong where it matters: declared types say too much of what callers in JavaScript hand over
      // and of what a closure has changed, objects here are made by closures without `this`, an async function without
      // await turns a throw into a rejection, and a brand is a proof of class too.
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { house: { rules: { 'own-lines': ownLines } } },
    rules: {
      ...packages(['zod'], ['undici']),
      'house/own-lines': 'error',
      'no-console': 'error',
      'no-restricted-imports': ['error', { patterns: [ownDoor] }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
        {
          // A library may warn, and may ask who it is; what a command reads of the process, main.ts hands over.
          selector:
            'MemberExpression[object.name="process"]:not([property.name=/^(emitWarning|getBuiltinModule|hrtime|pid|kill|platform|uptime)$/])',
          message: 'Only src/cli/startup/main.ts reads process.*; take it from the context.',
        },
      ],
    },
  },
  ...layerRules(),
  {
    files: ['src/bulk/**/*.ts'],
    rules: packages(
      [],
      [],
      [
        {
          regex: '/client/index\\.js$',
          allowTypeImports: true,
          message: 'Bulk work is handed a client; it makes none.',
        },
      ],
    ),
  },
  { files: ['src/cli/**/*.ts'], rules: packages(CLI_PACKAGES) },
  { files: ['src/client/transport/undici.ts'], rules: packages(['undici']) },
  { files: ['src/client/gate/redis/connection.ts'], rules: packages(['@redis/client']) },
  { files: ['src/domain/**/*.ts'], rules: packages(['tldts']) },
  { files: ['src/domain/resolver/**/*.ts'], rules: packages(['dns-packet']) },
  { files: ['src/mock/msw.ts'], rules: packages(['msw']) },
  // A door of its own, beside the mock's: it may enter by that one.
  { files: ['src/mock/msw.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['src/cli/startup/main.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['test/**/*.ts', '*.config.ts'],
    rules: {
      // Answers and outputs are looked at as they come.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      'max-lines': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.recommended],
    rules: { 'no-undef': 'off' },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
