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
  // Written by keychain.ts. The account of a check is its own, so that two checks at once don't meet.
  const {
    action,
    account = `check of a login (process ${String(process.pid)})`,
    secret = '',
  } = JSON.parse(text) as KeychainRequest;
  let binding: KeychainBinding;
  try {
    binding = await load();
  } catch {
    const reason = 'its binding, @napi-rs/keyring, is not installed for this system';
    return { ok: false, reason, isAbsent: true };
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
    if (action === 'check') return checkEntry(entry);
    entry.setPassword(secret);
    return { ok: true };
  } catch (error) {
    return describeError(error, secret);
  }
}

/** A keychain can accept a secret that it does not return later, so the value is read again. */
function checkEntry(entry: InstanceType<KeychainBinding['Entry']>): KeychainResponse {
  entry.setPassword(SERVICE);
  const isKept = entry.getPassword() === SERVICE;
  try {
    entry.deleteCredential();
  } catch {
    // It is no secret.
  }
  return isKept ? { ok: true } : { ok: false, reason: 'it does not return what it stores' };
}

/** The texts of libdbus if there is no session bus, or no service for secrets. A service that fails has others. */
const NO_SERVICE =
  /^Platform failure: DBus error: (?:Using X11|Could not parse server address|Failed to connect to socket|The name org\.freedesktop\.secrets was not provided)|No DBus session or Secret Service provider found$/;

/** The text of a service without a default collection, such as gnome-keyring before the first log-in on a desktop. */
const NO_COLLECTION = ': Secret Service: no result found';

function describeError(error: unknown, secret: string): KeychainResponse {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  if (NO_SERVICE.test(line))
    return { ok: false, reason: 'this session has no keychain service', isAbsent: true };
  if (line.endsWith(NO_COLLECTION))
    return { ok: false, reason: 'its service has no collection for secrets yet', isAbsent: true };
  const reason = line.replace(/^(?:Platform failure|Couldn't access platform (?:secure )?storage): /, '');
  return { ok: false, reason: secret === '' ? reason : reason.replaceAll(secret, '[redacted]') };
}
