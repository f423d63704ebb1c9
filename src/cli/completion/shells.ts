/** The shells that `petstore completion` writes for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** Whether a word names one of them. */
export function isShell(word: string | undefined): word is Shell {
  return SHELLS.some((shell) => shell === word);
}
