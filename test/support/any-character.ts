import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** Any character, without half surrogate pairs: like the unit `binary` of fast-check, which needs a second to start. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES));
