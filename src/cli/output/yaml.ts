const HIDDEN =
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
const LEFT_UNESCAPED = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

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
  return document
    .toString({ lineWidth: 0 })
    .replace(LEFT_UNESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
