import { createHash } from 'node:crypto';
import type { FoundKey } from './api-key.js';

/** What a key is shown as. Nothing of itself: a few of its last characters would narrow a short one down. Two people can compare the mark. */
export function maskedKey(secret: string): string {
  const mark = createHash('sha256').update(`petstore key mark\n${secret}`).digest('hex').slice(0, 8);
  return `**** (mark ${mark})`;
}

/** Where a key comes from, to be shown. */
export function keySource({ from, path }: FoundKey): string {
  if (from === 'environment') return 'PETSTORE_API_KEY';
  return from === 'keychain' ? 'the keychain' : String(path);
}
