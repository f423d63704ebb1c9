/** The code of a system error for use in a sentence, such as `EACCES`. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
