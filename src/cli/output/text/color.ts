/** Colours of a stream, as chalk numbers them: 0 none, 1 for 16 colours, 2 for 256, 3 for 16 million. */
export type ColorLevel = 0 | 1 | 2 | 3;

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
  if (choice === 'always') return detectLevel(env);
  if (env.NO_COLOR) return 0;
  const forced = env.FORCE_COLOR;
  if (forced) return forcedLevel(forced, env);
  const cliForced = env.CLICOLOR_FORCE;
  if (cliForced && cliForced !== '0') return detectLevel(env);
  if (profileColor === 'never') return 0;
  if (profileColor !== 'always' && !isTTY) return 0;
  if (env.CLICOLOR === '0') return 0;
  return detectLevel(env);
}

function forcedLevel(value: string, env: ColorFacts['env']): ColorLevel {
  if (value === '0' || value === 'false') return 0;
  if (value === '1') return 1;
  if (value === '2') return 2;
  return value === '3' ? 3 : detectLevel(env);
}

function detectLevel(env: ColorFacts['env']): ColorLevel {
  if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? '') || env.WT_SESSION) return 3;
  return /-256(?:color)?$/i.test(env.TERM ?? '') ? 2 : 1;
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
