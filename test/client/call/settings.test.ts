import { describe, expect, test } from 'vitest';
import {
  checkCallOptions,
  checkClientOptions,
  DEFAULT_SETTINGS,
  resolveSettings,
} from '../../../src/client/call/settings.js';
import { ConfigurationError, InvalidInputError } from '../../../src/errors.js';

const CLIENT_OPTIONS =
  'apiKey baseUrl allowInsecure gate dispatcher fetch clock random logger onEvent onWarning'.split(' ');

describe('settings', () => {
  test('have these defaults', () => {
    expect(DEFAULT_SETTINGS).toEqual({
      timeoutMs: 30_000,
      deadlineMs: Infinity,
      bodyMaxBytes: 16_777_216,
      reservePercent: 0,
      pace: 'auto',
      retry: { attemptsMax: 4, baseDelayMs: 500, capDelayMs: 8_000, waitMaxMs: 75_000 },
      headers: {},
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
    ...[0, -1, NaN, '5', null].map((timeoutMs): [string, unknown] => ['timeoutMs', { timeoutMs }]),
    ['deadlineMs', { deadlineMs: 0 }],
    ['bodyMaxBytes', { bodyMaxBytes: 0 }],
    ['reservePercent', { reservePercent: 100 }],
    ['reservePercent', { reservePercent: -1 }],
    ['pace', { pace: 'fast' }],
    ['retry.attemptsMax', { retry: { attemptsMax: 0 } }],
    ['retry.attemptsMax', { retry: { attemptsMax: 1.5 } }],
    ['retry.attemptsMax', { retry: { attemptsMax: NaN } }],
    ['retry.baseDelayMs', { retry: { baseDelayMs: -1 } }],
    ['retry.capDelayMs', { retry: { capDelayMs: NaN } }],
    ['retry.waitMaxMs', { retry: { waitMaxMs: -1 } }],
    ['retry', { retry: 3 }],
    ['retry', { retry: null }],
    ['signal', { signal: 5 }],
    ['signal', { signal: new AbortController() }],
    ['waitSignal', { waitSignal: {} }],
    ['beforeSend', { beforeSend: true }],
    ...[
      ...['a: b', ['x-a'], { authorization: 'Bearer x' }, { Authorization: undefined }],
      ...[new Headers({ authorization: 'x' }), { Host: 'evil.test' }, { 'content-length': '5' }],
      ...[{ 'x y': '1' }, { '': '1' }, { 'x-a': 'one\r\ntwo: 2' }, { 'x-a': '\u2028' }, { 'x-a': 5 }],
    ].map((headers): [string, unknown] => ['headers', { headers }]),
    ['options', 5],
    ['options', []],
  ])('rejects an invalid %s (%j)', (field, own) => {
    const resolve = (): void => checkCallOptions(own as never);
    expect(resolve).toThrow(InvalidInputError);
    expect(resolve).toThrow(field);
  });

  test.each([
    [{ timeout: 5 }, 'Unknown option "timeout"', 'Did you mean "timeoutMs"?'],
    [{ retry: { atemptsMax: 5 } }, 'Unknown option "retry.atemptsMax"', 'Did you mean "attemptsMax"?'],
    [{ retry: { attempts: 5 } }, 'Unknown option "retry.attempts"', 'Known: attemptsMax, baseDelayMs'],
    [{ singal: null }, 'Unknown option "singal"', 'Did you mean "signal"?'],
    [{ Signal: null }, 'Unknown option "Signal"', 'Did you mean "signal"?'],
    [{ header: {} }, 'Unknown option "header"', 'Did you mean "headers"?'],
    [AbortSignal.abort(), 'options must be an object with options, not a signal', 'Pass { signal }.'],
    [{ toString: 1 }, 'Unknown option "toString"', /^Known: timeoutMs, deadlineMs, .*\.$/],
    [{ x: undefined }, 'Unknown option "x"', /^Known: /],
    ...CLIENT_OPTIONS.map((name): [object, string, string] => [
      { [name]: undefined },
      `${name} is an option of the client, not of a call`,
      `Pass ${name} to createPetStore().`,
    ]),
  ])('rejects an unknown option and suggests the nearest (%j)', (own, message, hint) => {
    const check = (): void => checkCallOptions(own as never);
    expect(check).toThrow(message);
    expect(check).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) as string }) as Error);
  });

  const clock = { now: () => 0, monotonic: () => 0, setTimeout: () => () => undefined };
  const CLOCK_METHODS = 'must be an object with the methods now, monotonic and setTimeout';
  const CLOCK_TIMES = 'must return times as numbers of milliseconds';
  const fail = (): never => {
    throw new Error('stopped');
  };
  test.each<[string, unknown, string]>([
    ['timeoutMs', '5', 'must be a number above 0'],
    ['reservePercent', '5', 'must be a number of at least 0 and below 100'],
    ['retry.waitMaxMs', { waitMaxMs: '5' }, 'must be a number of at least 0'],
    ['retry.attemptsMax', { attemptsMax: '5' }, 'must be a whole number of at least 1'],
    ['allowInsecure', 'yes', 'must be true or false'],
    ['pace', 'fast', "must be 'auto' or 'off'"],
    ['dispatcher', {}, 'must be an undici dispatcher'],
    ['logger', { debug: fail }, 'must be an object with the methods debug and warn'],
    ['logger', { warn: fail }, 'must be an object with the methods debug and warn'],
    ['random', 0.5, 'must be a function'],
    ...Object.keys(clock).map((name): [string, unknown, string] => [
      ...(['clock', { ...clock, [name]: undefined }, CLOCK_METHODS] as const),
    ]),
    ['clock', { ...clock, now: () => '0' }, CLOCK_TIMES],
    ['clock', { ...clock, monotonic: () => NaN }, CLOCK_TIMES],
    ['clock', { ...clock, now: fail }, 'failed (stopped)'],
  ])('of a client: %s can not be %j', (option, value, problem) => {
    const check = (): unknown => checkClientOptions({ [option.split('.')[0]!]: value } as never);
    expect(check).toThrow(new ConfigurationError(`${option} ${problem}`, { option }));
    expect(check).toThrow(expect.objectContaining({ option }) as Error);
  });

  test.each([
    { reservePercent: 0, allowInsecure: false, pace: 'auto', clock },
    { reservePercent: 99.9, allowInsecure: true, pace: 'off', retry: { baseDelayMs: 0, attemptsMax: 1 } },
  ])('of a client can be %j, and are read once', (options) => {
    expect(checkClientOptions(options as never)).toEqual(options);
  });

  test.each([undefined, null, 5, []])('of a client can not be %j', (options) => {
    const error = { message: 'No options', hint: 'Pass at least apiKey and baseUrl.' };
    expect(() => checkClientOptions(options as never)).toThrow(expect.objectContaining(error) as Error);
  });

  test('do not show the value of an invalid header', () => {
    expect(() => checkCallOptions({ headers: { 'x-token': 'secret\n' } })).toThrow(/^(?!.*secret)/s);
  });

  test('merge headers by their names in lower case; those of the call win', () => {
    const client = resolveSettings(DEFAULT_SETTINGS, { headers: { 'X-A': '1', 'x-b': '2' } });
    expect(resolveSettings(client, { headers: { 'x-a': ' 3 ', 'x-b': undefined } }).headers).toEqual({
      'x-a': '3',
      'x-b': '2',
    });
    expect(resolveSettings(client, { headers: new Headers({ 'X-C': '4' }) }).headers).toEqual({
      'x-a': '1',
      'x-b': '2',
      'x-c': '4',
    });
    expect(resolveSettings(client, { headers: [['X-A', '5']] }).headers).toMatchObject({ 'x-a': '5' });
  });
});
