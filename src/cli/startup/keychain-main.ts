import { readFileSync, writeSync } from 'node:fs';
import { answerKeychain, type KeychainBinding } from '../system/keychain-process.js';

/** The process that talks to the keychain: see keychain.ts. */
void answerKeychain(
  readFileSync(0, 'utf8'),
  () => import('@napi-rs/keyring') as Promise<KeychainBinding>,
).then((answer) => writeSync(1, JSON.stringify(answer)));
