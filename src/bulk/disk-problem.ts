/** Why no file of any size can be written, by the code of the system error. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'Your disk quota is used up',
  EFBIG: 'The file is larger than the system allows',
};

/**
 * Describes an error of a full disk as the start of a sentence, such as `The disk is full`. Returns `undefined` for other
 * errors.
 */
export function diskProblem(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
}
