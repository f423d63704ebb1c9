/**
 * `npm run lint`: compiles all TypeScript files, then runs ESLint. Rules that need types use the compiled programs; a
 * linter with programs of its own takes half as long again.
 *
 * After a run without problems, the next one checks only the files that changed and those that see other types because
 * of it, which TypeScript determines (`node_modules/.cache`). `.ci/run` starts without it, and checks all.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import ts from 'typescript';

const CACHE = 'node_modules/.cache/petstore';
/** What a result depends on besides the TypeScript files. The lock holds the versions of the rules. */
const CONFIGURATION = [
  'package-lock.json',
  'eslint.config.js',
  'test/support/layers.json',
  'build/lint.mjs',
  'tsconfig.json',
];
const configuration = createHash('sha256')
  .update(CONFIGURATION.map((file) => readFileSync(file, 'utf8')).join('\0'))
  .digest('hex');

const checks = [check('tsconfig.json', 'main'), check('src/mock/ui/tsconfig.json', 'page')];
const problems = checks.flatMap((result) => result.problems);
if (problems.length > 0) {
  console.error(
    ts.formatDiagnostics(problems, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => process.cwd(),
      getNewLine: () => '\n',
    }),
  );
}

const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: false, programs: checks.map(({ program }) => program) },
    },
  },
});
/** Its rules need one file only, so results of files that did not change are kept. */
const withoutTypes = new ESLint({
  cache: true,
  cacheStrategy: 'content',
  cacheLocation: `${CACHE}/eslint-${configuration.slice(0, 16)}`,
});
const typescript = checks.flatMap((result) => result.affected);
const others = await withoutTypes.lintFiles(['**/*.{js,cjs,mjs}']);
const results = [...others, ...(typescript.length > 0 ? await eslint.lintFiles(typescript) : [])];
const formatter = await eslint.loadFormatter();
const report = await formatter.format(results);
if (report !== '') console.error(report);

const failed = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
if (problems.length > 0 || failed) {
  process.exitCode = 1;
} else {
  for (const { save } of checks) save();
}

/**
 * Compiles the files of a configuration.
 * @returns the program, its problems, the files that a change since the last saved run can concern, and `save`.
 */
function check(configFile, name) {
  const config = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic(problem) {
      throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
    },
  });
  const options = {
    ...config.options,
    incremental: true,
    tsBuildInfoFile: `${CACHE}/${name}-${configuration.slice(0, 16)}.tsbuildinfo`,
  };
  const host = ts.createIncrementalCompilerHost(options);
  const builder = ts.createEmitAndSemanticDiagnosticsBuilderProgram(
    config.fileNames,
    options,
    host,
    ts.readBuilderProgram(options, host),
    config.errors,
  );
  const problems = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
  ];
  const own = new Set(config.fileNames);
  const affected = [];
  for (;;) {
    const next = builder.getSemanticDiagnosticsOfNextAffectedFile();
    if (next === undefined) break;
    problems.push(...next.result);
    const { fileName } = next.affected;
    if (own.has(fileName) && fileName.endsWith('.ts')) affected.push(fileName);
  }
  return {
    program: builder.getProgram(),
    problems,
    affected,
    save() {
      mkdirSync(CACHE, { recursive: true });
      builder.emit(undefined, (file, text) => writeFileSync(file, text));
    },
  };
}
