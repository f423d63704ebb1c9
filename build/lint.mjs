/**
 * `npm run lint`: compiles all TypeScript files, then runs ESLint on the tree. Rules that need types use the compiled
 * programs; a linter with programs of its own takes half as long again.
 */
import { ESLint } from 'eslint';
import ts from 'typescript';

const programs = ['tsconfig.json', 'src/mock/ui/tsconfig.json'].map(compile);
const problems = programs.flatMap((program) => ts.getPreEmitDiagnostics(program));
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
    languageOptions: { parserOptions: { projectService: false, programs } },
  },
});
const results = await eslint.lintFiles(['.']);
const formatter = await eslint.loadFormatter();
const report = await formatter.format(results);
if (report !== '') console.error(report);

const failed = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
process.exitCode = problems.length > 0 || failed ? 1 : 0;

function compile(configFile) {
  const config = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic(problem) {
      throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
    },
  });
  return ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: config.errors,
  });
}
