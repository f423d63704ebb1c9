import { fieldPath } from './field-path.js';

/** After what stands between words is gone: `x-api-key`, `PETSTORE_API_KEY`, `clientSecret2`. */
const ENDS_LIKE_A_KEY =
  /(key|token|secret|password|passwd|passphrase|passcode|credential|authorization|bearer|jwt)s?\d*$/;
const WHOLE = ['auth', 'pwd'];

/** Whether a field of this name would hold a key, or another secret. */
export function isSecretName(name: string): boolean {
  const word = name.toLowerCase().replace(/[^a-z\d]/g, '');
  return ENDS_LIKE_A_KEY.test(word) || WHOLE.includes(word);
}

/**
 * The first field that would hold a key, the outermost first.
 *
 * @returns its place, such as `domains[0].apiKey`; never what it holds.
 */
export function findSecretField(content: unknown): string | undefined {
  const levels: [place: string, value: unknown][] = [['', content]];
  // Grows while it is gone through: no depth of nesting is too much for it.
  for (const [place, value] of levels) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, held] of Object.entries(value)) {
      const isEntry = Array.isArray(value);
      const here = isEntry ? `${place}[${name}]` : fieldPath(place, name);
      if (!isEntry && isSecretName(name)) return here;
      levels.push([here, held]);
    }
  }
  return undefined;
}
