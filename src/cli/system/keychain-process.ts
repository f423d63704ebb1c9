import { platform } from 'node:os';
import type { KeychainResponse, KeychainRequest } from './keychain.js';

/** The parts of @napi-rs/keyring that are used. */
export interface KeychainBinding {
  Entry: new (
    service: string,
    account: string,
    options?: { linux?: { store: 'secret-service' } },
  ) => {
    getPassword(): string | null;
    setPassword(secret: string): void;
    deleteCredential(): boolean;
  };
}

const SERVICE = 'petstore';

/**
 * Handles one keychain request in the keychain process.
 *
 * @param text the request as JSON.
 * @param load loads the binding; rejects if it is not installed for this system.
 */
export async function handleKeychainRequest(
  text: string,
  load: () => Promise<KeychainBinding>,
): Promise<KeychainResponse> {
  // Written by keychain.ts.
  const { action, account, secret = '' } = JSON.parse(text) as KeychainRequest;
  let binding: KeychainBinding;
  try {
    binding = await load();
  } catch {
    return { ok: false, reason: 'its binding, @napi-rs/keyring, is not installed for this system' };
  }
  try {
    // The alternative on Linux, the kernel's keyring, is lost at the next boot.
    const options = platform() === 'linux' ? { linux: { store: 'secret-service' as const } } : undefined;
    const entry = new binding.Entry(SERVICE, account, options);
    if (action === 'remove') return { ok: true, removed: entry.deleteCredential() };
    if (action === 'find') {
      const found = entry.getPassword();
      return found === null ? { ok: true } : { ok: true, secret: found };
    }
    entry.setPassword(secret);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: firstLine(error, secret) };
  }
}

function firstLine(error: unknown, secret: string): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  // On machines without a desktop, the message of the library is about X11 and D-Bus addresses.
  if (/^Platform failure: DBus error/i.test(line)) return 'this session has no keychain service';
  return secret === '' ? line : line.replaceAll(secret, '[redacted]');
}
