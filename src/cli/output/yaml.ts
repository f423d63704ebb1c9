import { CONTROL_AND_BIDI, toUnicodeEscape } from './text/control-characters.js';

const HIDDEN = new RegExp(`[\\x00-\\x09\\x0b-\\x1f${CONTROL_AND_BIDI}\\ufeff\\p{Cs}]`, 'u');
const LEFT_UNESCAPED = new RegExp(`[${CONTROL_AND_BIDI}\\ufeff]`, 'g');

/**
 * One YAML 1.2 document that a 1.1 reader understands alike (`no` and `12:30` are quoted). A bigint is a plain
 * integer. Texts with controls or direction marks are double-quoted and the characters escaped.
 */
export async function toYaml(value: unknown): Promise<string> {
  const { Document, visit } = await import('yaml');
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && HIDDEN.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  // Only a double-quoted scalar still holds one of these, so an escape is read back as the same character.
  return document.toString({ lineWidth: 0 }).replace(LEFT_UNESCAPED, toUnicodeEscape);
}
