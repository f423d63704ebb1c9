/**
 * The place of a field in a file, to stand in a message: `redirects[0].status`. A name that is no plain word is quoted: it
 * is somebody else's text, and could begin a line of its own.
 *
 * @param parent the place of what holds it; empty for the file itself.
 */
export function fieldPath(parent: string, name: string): string {
  const word = /^[\w$@-]+$/.test(name) ? name : JSON.stringify(name);
  return parent === '' ? word : `${parent}.${word}`;
}
