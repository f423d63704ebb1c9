// The start of `npm run build`: removes the last build.
import { existsSync, rmSync } from 'node:fs';

if (existsSync('node_modules/tsup')) {
  rmSync('dist', { recursive: true, force: true });
} else {
  console.error('error: The packages for the build are not installed\nhint: Run: npm ci');
  process.exitCode = 1;
}
