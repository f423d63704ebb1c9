import { isBuildCurrent } from '../../build/source-digest.mjs';

let isCurrent: boolean | undefined;

/** Tests of the built command and library call this. @throws if `dist` is missing, or was built from other sources. */
export function requireBuild(): void {
  isCurrent ??= isBuildCurrent();
  if (!isCurrent)
    throw new Error('The build (dist) is missing or older than its sources. Run: npm run build');
}
