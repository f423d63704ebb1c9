// npm runs this before it packs the package, and for a dependency from git, which has no dist/. In a checkout,
// `npm run build` builds.
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const { INIT_CWD: startedIn, npm_command: command } = process.env;
const isCheckout = startedIn === process.cwd() && (command === 'ci' || command === 'install');
if (!isCheckout && !existsSync('dist')) {
  if (existsSync('node_modules/tsup')) execSync('npm run build', { stdio: 'inherit' });
  // After a failure of the script, `npx petstore` in a checkout fails for ever: npm 11 keeps half of a folder in its
  // cache. Without it the command says what to run.
  else if (command !== 'exec') {
    // As for `npm install --global` from git: npm then installs nothing in the clone.
    console.error('error: The packages for the build are not installed');
    console.error('hint: Install a tarball: in a checkout, run "npm ci && npm pack".');
    process.exitCode = 1;
  }
}
