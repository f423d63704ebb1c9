import { quote } from '../../../schema/control-characters.js';
import { UsageError } from '../../errors/usage-error.js';

/** Matched against names without separators: `x-api-key`, `PETSTORE_API_KEY`, `clientSecret2`. */
const SECRET_SUFFIX =
  /(key|token|secret|password|passwd|passphrase|passcode|credential|authorization|bearer|jwt)s?\d*$/;
const SECRET_WORDS = ['auth', 'pwd'];

/** Whether a field of this name probably holds a key or another secret. */
export function isSecretName(name: string): boolean {
  const word = name.toLowerCase().replace(/[^a-z\d]/g, '');
  return SECRET_SUFFIX.test(word) || SECRET_WORDS.includes(word);
}

/**
 * Finds the first field whose name suggests a secret, outermost fields first.
 *
 * @returns its path, such as `domains[0].apiKey`; never its value.
 */
export function findSecretField(content: unknown): string | undefined {
  // The list grows during the loop, so that deep nesting can't overflow the stack.
  const levels: [path: string, value: unknown][] = [['', content]];
  for (const [path, value] of levels) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) {
      const isItem = Array.isArray(value);
      const childPath = isItem ? `${path}[${name}]` : fieldPath(path, name);
      if (!isItem && isSecretName(name)) return childPath;
      levels.push([childPath, child]);
    }
  }
  return undefined;
}

/** The error for a key in a configuration file. */
export function misplacedKey(path: string, field: string): UsageError {
  return new UsageError(
    `${field} in ${path}: an API key does not belong in this file`,
    'Remove it and set PETSTORE_API_KEY. Replace the key if the file was ever shared.',
    undefined,
    [{ file: path }],
  );
}

/**
 * The path of a field for messages: `redirects[0].status`. Names with other characters are quoted, so that they can't
 * break the line.
 *
 * @param parent the path of the enclosing field; empty at the top level.
 */
export function fieldPath(parent: string, name: string): string {
  const word = /^[\w$@-]+$/.test(name) ? name : quote(name);
  return parent === '' ? word : `${parent}.${word}`;
}
