/** Why the system did not do something, to stand in a sentence: its code, such as `EACCES`. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
}
