import { existsSync, readFileSync } from 'node:fs';
import { DIGEST_FILE, sourceDigest } from '../../build/source-digest.mjs';

let problem: string | undefined;

/** Tests of the built command and library call this. @throws if `dist` is missing, or was built from other sources. */
export function requireBuild(): void {
  problem ??= problemOfBuild();
  if (problem !== '') throw new Error(`${problem}. Run: npm run build`);
}

function problemOfBuild(): string {
  if (!existsSync(DIGEST_FILE)) return 'The build (dist) is missing';
  const isCurrent = JSON.parse(readFileSync(DIGEST_FILE, 'utf8')) === sourceDigest();
  return isCurrent ? '' : 'The build (dist) is older than its sources';
}
