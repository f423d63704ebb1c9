import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, resolveSettings } from '../../../src/client/call/settings.js';
import { InvalidInputError } from '../../../src/errors.js';

describe('settings', () => {
  test('have these defaults', () => {
    expect(DEFAULT_SETTINGS).toEqual({
      timeoutMs: 30_000,
      deadlineMs: Infinity,
      bodyMaxBytes: 16_777_216,
      reservePercent: 0,
      retry: { attemptsMax: 4, baseDelayMs: 500, capDelayMs: 8_000, waitMaxMs: 75_000 },
    });
  });

  test('of a call override those of its client', () => {
    const own = { timeoutMs: 1, retry: { waitMaxMs: 0, attemptsMax: 1 } };
    expect(resolveSettings(DEFAULT_SETTINGS, own)).toEqual({
      ...DEFAULT_SETTINGS,
      timeoutMs: 1,
      retry: { ...DEFAULT_SETTINGS.retry, waitMaxMs: 0, attemptsMax: 1 },
    });
  });

  test.each([
    [undefined],
    [{}],
    [{ timeoutMs: undefined, deadlineMs: undefined, bodyMaxBytes: undefined, retry: undefined }],
    [
      {
        retry: {
          attemptsMax: undefined,
          baseDelayMs: undefined,
          capDelayMs: undefined,
          waitMaxMs: undefined,
        },
      },
    ],
  ])('that are undefined keep the default (%j)', (own) => {
    expect(resolveSettings(DEFAULT_SETTINGS, own)).toEqual(DEFAULT_SETTINGS);
  });

  test.each([
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['timeoutMs', { timeoutMs: NaN }],
    ['timeoutMs', { timeoutMs: '5' }],
    ['timeoutMs', { timeoutMs: null }],
    ['deadlineMs', { deadlineMs: 0 }],
    ['bodyMaxBytes', { bodyMaxBytes: 0 }],
    ['reservePercent', { reservePercent: 100 }],
    ['reservePercent', { reservePercent: -1 }],
    ['retry.attemptsMax', { retry: { attemptsMax: 0 } }],
    ['retry.attemptsMax', { retry: { attemptsMax: 1.5 } }],
    ['retry.attemptsMax', { retry: { attemptsMax: NaN } }],
    ['retry.baseDelayMs', { retry: { baseDelayMs: -1 } }],
    ['retry.capDelayMs', { retry: { capDelayMs: NaN } }],
    ['retry.waitMaxMs', { retry: { waitMaxMs: -1 } }],
  ])('rejects an invalid %s (%j)', (field, own) => {
    const resolve = (): unknown => resolveSettings(DEFAULT_SETTINGS, own as never);
    expect(resolve).toThrow(InvalidInputError);
    expect(resolve).toThrow(field);
  });
});
