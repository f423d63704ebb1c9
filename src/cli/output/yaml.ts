import { CONTROL_AND_BIDI, toUnicodeEscape } from './text/control-characters.js';

const HIDDEN = new RegExp(`[\\x00-\\x09\\x0b-\\x1f${CONTROL_AND_BIDI}\\ufeff\\p{Cs}]`, 'u');
const UNESCAPED = new RegExp(`[${CONTROL_AND_BIDI}\\ufeff]`, 'g');

/**
 * Formats one YAML document that YAML 1.1 and 1.2 read the same (`no` and `12:30` are quoted). A bigint becomes a plain
 * integer. Control and bidi characters are escaped in double quotes.
 */
export async function toYaml(value: unknown): Promise<string> {
  const { Document, visit } = await import('yaml');
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && HIDDEN.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  // Only double-quoted scalars still hold these characters, so an escape is valid here.
  return document.toString({ lineWidth: 0 }).replace(UNESCAPED, toUnicodeEscape);
}
