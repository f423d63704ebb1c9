import { TestRunner } from 'vitest';

/** The optional package. Its exports are undefined if it is not installed: tests ask `needsRedisPackage` first. */
export const redisPackage = (await import('@redis/client').catch(
  () => ({}),
)) as typeof import('@redis/client');

/** Why the package can't be used; `undefined` if it can. */
export const whyNoRedisPackage = 'createClient' in redisPackage ? undefined : 'not installed: @redis/client';

/** Skips the current test if the package is not installed. */
export function needsRedisPackage(): void {
  if (whyNoRedisPackage !== undefined) TestRunner.getCurrentTest()?.context.skip(whyNoRedisPackage);
}
