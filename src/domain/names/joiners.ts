/**
 * Removes the joiners that RFC 5892, appendix A, does not allow. It allows both after a virama, and ZERO WIDTH NON-JOINER
 * between joining letters. Node.js accepts these in Arabic and Syriac only.
 */
export function withoutMisplacedJoiners(name: string): string {
  if (!/[\u200c\u200d]/.test(name)) return name;
  const allowed = new Set(Array.from(name.matchAll(allowedJoiners()), ({ index }) => index));
  return name.replaceAll(/[\u200c\u200d]/g, (joiner, at: number) => (allowed.has(at) ? joiner : ''));
}

/** The viramas of recommended scripts (canonical combining class 9). */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u17d2]`;
/** Letters that join on neither side, or only with the letter before (Unicode Joining_Type U and R). */
const NOT_JOINING = String.raw`\u0621\u0674\u06d5`;
const JOINING_BEFORE = String.raw`\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06ee\u06ef\u0710\u0715-\u0719\u071e\u0728\u072a\u072c\u072f\u074d`;
const JOINING = String.raw`[\p{Script=Arabic}\p{Script=Syriac}](?<=\p{L})`;

function allowedJoiners(): RegExp {
  return new RegExp(
    String.raw`(?<=${VIRAMA})[\u200c\u200d]|(?<=(?![${NOT_JOINING}${JOINING_BEFORE}])${JOINING}\p{Mn}*)\u200c(?=\p{Mn}*(?![${NOT_JOINING}])${JOINING})`,
    'gu',
  );
}
