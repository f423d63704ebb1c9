// Replaces the native part of @napi-rs/keyring, which NAPI_RS_NATIVE_LIBRARY_PATH names. KEYRING is its file:
// { "state": STATE, "secrets": { ACCOUNT: SECRET } }.
const { readFileSync, writeFileSync } = require('node:fs');

const FAULTS = {
  absent:
    'Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files',
  // gnome-keyring 42.1 that nobody has logged in to on a desktop.
  empty: "Couldn't access platform storage: Secret Service: no result found",
  dismissed: "Couldn't access platform storage: Secret Service: unlock prompt was dismissed",
  broken: 'Platform failure: DBus error: Process org.freedesktop.secrets exited with status 1',
};

/** Reads the keychain. Waits while its prompt is open. */
function open() {
  for (;;) {
    const keychain = JSON.parse(readFileSync(process.env.KEYRING, 'utf8'));
    if (FAULTS[keychain.state] !== undefined) throw new Error(FAULTS[keychain.state]);
    if (keychain.state !== 'prompt') return keychain;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

function save(keychain) {
  writeFileSync(process.env.KEYRING, JSON.stringify(keychain));
}

class Entry {
  constructor(_service, account) {
    this.account = account;
  }
  getPassword() {
    const { state, secrets } = open();
    return state === 'forgets' ? null : (secrets[this.account] ?? null);
  }
  setPassword(secret) {
    const keychain = open();
    keychain.secrets[this.account] = secret;
    save(keychain);
  }
  deleteCredential() {
    const keychain = open();
    const isFound = this.account in keychain.secrets;
    delete keychain.secrets[this.account];
    // The check of a login ends with this call.
    if (keychain.state === 'fails after the check') keychain.state = 'dismissed';
    save(keychain);
    return isFound;
  }
}

module.exports = { Entry };
