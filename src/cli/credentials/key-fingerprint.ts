import { createHash } from 'node:crypto';
import type { FoundKey } from './api-key.js';

/**
 * A key as it may be shown: a fingerprint that two people can compare. It shows no character of the key, because a few
 * of them would narrow down a short key.
 */
export function maskedKey(secret: string): string {
  const digest = createHash('sha256').update(`petstore key fingerprint\n${secret}`).digest('hex');
  return `**** (fingerprint ${digest.slice(0, 8)})`;
}

/** The source of a key, for output. */
export function keySource({ from, path }: FoundKey): string {
  if (from === 'environment') return 'PETSTORE_API_KEY';
  return from === 'keychain' ? 'the keychain' : String(path);
}
