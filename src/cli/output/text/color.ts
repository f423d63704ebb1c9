/** Colours of a stream, as chalk numbers them: none, or the 16 that every terminal with colours has. */
export type ColorLevel = 0 | 1;

/** The values of `--color` and `PETSTORE_COLOR`. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

export type ColorChoice = (typeof COLOR_CHOICES)[number];

/** The inputs of the colour decision. */
export interface ColorFacts {
  /** `--color`, otherwise `PETSTORE_COLOR`. */
  choice?: ColorChoice | undefined;
  /** The environment, for common variables such as `NO_COLOR`. Empty variables count as unset. */
  env: Readonly<Record<string, string | undefined>>;
  /** The setting of the profile. */
  profileColor?: ColorChoice | undefined;
  /** Whether the stream is a terminal. */
  isTTY: boolean;
}

/**
 * Decides the colours of one stream.
 *
 * `TERM=dumb` has no colours, whatever else is set: such a terminal shows escape sequences as text. Otherwise, the first
 * of these that is set wins: `--color` or `PETSTORE_COLOR` (unless `auto`), `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`,
 * the profile. Otherwise a terminal has colours, unless `CLICOLOR` is 0.
 * chalk's own detection ignores `NO_COLOR` and `CLICOLOR`, and takes an empty `FORCE_COLOR` as set.
 */
export function decideColor({ choice, env, profileColor, isTTY }: ColorFacts): ColorLevel {
  if (choice === 'never' || env.TERM === 'dumb') return 0;
  if (choice === 'always') return 1;
  if (env.NO_COLOR) return 0;
  const forced = env.FORCE_COLOR;
  if (forced) return forced === '0' || forced === 'false' ? 0 : 1;
  const cliForced = env.CLICOLOR_FORCE;
  if (cliForced && cliForced !== '0') return 1;
  if (profileColor === 'never') return 0;
  if (profileColor !== 'always' && !isTTY) return 0;
  return env.CLICOLOR === '0' ? 0 : 1;
}

/** The styles in use. Each is a style of chalk. */
export type PaintStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Applies a style to a text. */
export type Painter = (style: PaintStyle, text: string) => string;

/** Creates a painter for a stream. Without colours, texts stay unchanged and chalk is not loaded. */
export async function createPainter(level: ColorLevel): Promise<Painter> {
  if (level === 0) return (_style, text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return (style, text) => chalk[style](text);
}

/** Returns the style of a pet's status. Unknown statuses have none. */
export function petStatusStyle(status: string): PaintStyle | undefined {
  if (status === 'available') return 'green';
  if (status === 'pending') return 'yellow';
  return status === 'sold' ? 'dim' : undefined;
}
