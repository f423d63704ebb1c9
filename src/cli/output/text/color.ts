/** Colours of a stream: 0 none, 1 the basic 16, 2 the 256, 3 all (chalk's levels). */
export type ColorLevel = 0 | 1 | 2 | 3;

/** What `--color` and `PETSTORE_COLOR` take. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

/** One of {@link COLOR_CHOICES}. */
export type ColorChoice = (typeof COLOR_CHOICES)[number];

/** What the decision rests on. */
export interface ColorFacts {
  /** What `--color` said, else `PETSTORE_COLOR`. */
  choice?: ColorChoice | undefined;
  /** The environment, for what other programs heed too. An empty variable counts as unset. */
  env: Readonly<Record<string, string | undefined>>;
  /** What the profile said. */
  profileColor?: ColorChoice | undefined;
  /** Whether this one stream is a terminal. */
  isTTY: boolean;
}

/** How many colours, and what had the last word. */
export interface ColorDecision {
  level: ColorLevel;
  /** A variable's name, or which other of the facts. */
  decidedBy:
    'choice' | 'NO_COLOR' | 'FORCE_COLOR' | 'CLICOLOR_FORCE' | 'CLICOLOR' | 'TERM' | 'profileColor' | 'isTTY';
}

/**
 * Decides the colours of one stream; stdout and stderr are decided apart.
 *
 * The first that has an opinion wins: `--color` or, without it, `PETSTORE_COLOR`; `NO_COLOR`, `FORCE_COLOR`,
 * `CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, the profile, then whether the stream is a terminal. `auto` means to go on
 * with `NO_COLOR`. Decided here because chalk knows neither `NO_COLOR` nor the `CLICOLOR` pair, and takes an empty
 * `FORCE_COLOR` for a yes.
 */
export function decideColor({ choice, env, profileColor, isTTY }: ColorFacts): ColorDecision {
  if (choice === 'never') return { level: 0, decidedBy: 'choice' };
  if (choice === 'always') return { level: depth(env), decidedBy: 'choice' };
  if (env.NO_COLOR) return { level: 0, decidedBy: 'NO_COLOR' };
  const forced = env.FORCE_COLOR;
  if (forced) return { level: forcedLevel(forced, env), decidedBy: 'FORCE_COLOR' };
  const cliForced = env.CLICOLOR_FORCE;
  if (cliForced && cliForced !== '0') return { level: depth(env), decidedBy: 'CLICOLOR_FORCE' };
  if (profileColor === 'never') return { level: 0, decidedBy: 'profileColor' };
  if (profileColor !== 'always' && !isTTY) return { level: 0, decidedBy: 'isTTY' };
  // These two take colours away, and so decide only where there would be some.
  if (env.CLICOLOR === '0') return { level: 0, decidedBy: 'CLICOLOR' };
  if (env.TERM === 'dumb') return { level: 0, decidedBy: 'TERM' };
  return { level: depth(env), decidedBy: profileColor === 'always' ? 'profileColor' : 'isTTY' };
}

function forcedLevel(value: string, env: ColorFacts['env']): ColorLevel {
  if (value === '0' || value === 'false') return 0;
  if (value === '1') return 1;
  if (value === '2') return 2;
  return value === '3' ? 3 : depth(env);
}

function depth(env: ColorFacts['env']): ColorLevel {
  if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? '') || env.WT_SESSION) return 3;
  return /-256(?:color)?$/i.test(env.TERM ?? '') ? 2 : 1;
}
