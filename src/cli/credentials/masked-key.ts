import { createHash } from 'node:crypto';
import type { FoundKey } from './api-key.js';

/**
 * Formats a key for output as a fingerprint, which two people can compare. Shows no character of the key, because a few
 * characters would narrow down a short key.
 */
export function maskedKey(secret: string): string {
  const digest = createHash('sha256').update(`petstore key fingerprint\n${secret}`).digest('hex');
  return `**** (fingerprint ${digest.slice(0, 8)})`;
}

/** Formats the source of a key for output. */
export function keySource({ from, path }: FoundKey): string {
  if (from === 'environment') return 'PETSTORE_API_KEY';
  return from === 'keychain' ? 'the keychain' : String(path);
}
