import { readFileSync, writeSync } from 'node:fs';
import { handleKeychainRequest, type KeychainBinding } from '../system/keychain-process.js';

/** The keychain process (see keychain.ts). */
void handleKeychainRequest(
  readFileSync(0, 'utf8'),
  () => import('@napi-rs/keyring') as Promise<KeychainBinding>,
).then((answer) => writeSync(1, JSON.stringify(answer)));
