import type { Verify } from '../service/verify.js';
import { suggestionFor } from '../../options/suggest.js';
import { ControlError, objectOf, type ControlCall, type Operation } from './operation.js';

export const EXPECTATION_OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/expectations': {
    POST: {
      id: 'checkExpectations',
      summary: 'Check the requests so far: 200 if all expectations hold, otherwise 409',
      body: {
        expectations: [
          { method: 'POST', path: '/pets', count: 1 },
          { method: 'GET', min: 1, max: 3 },
          { respectedRetryAfter: true },
        ],
      },
      run: checkExpectations,
    },
  },
};

interface Result {
  expectation: unknown;
  passed: boolean;
  /** Why it does not hold, with the nearest request. */
  message?: string;
}

function checkExpectations({ mock, key, body }: ControlCall): { passed: true; results: readonly Result[] } {
  const verify = key === undefined ? mock.verify : mock.forKey(key).verify;
  const { expectations } = objectOf(body);
  if (!Array.isArray(expectations) || expectations.length === 0)
    throw new TypeError('The body needs a list "expectations", such as [{"method":"POST","count":1}]');
  const checks = expectations.map((expectation: unknown) => readExpectation(expectation));
  const results = checks.map((check, index): Result => {
    const expectation: unknown = expectations[index];
    try {
      check(verify);
      return { expectation, passed: true };
    } catch (error) {
      return { expectation, passed: false, message: (error as Error).message };
    }
  });
  const failed = results.find(({ passed }) => !passed);
  if (failed === undefined) return { passed: true, results };
  throw new ControlError(409, 'expectation_failed', failed.message ?? '', { passed: false, results });
}

const FIELDS = ['method', 'path', 'status', 'count', 'min', 'max', 'respectedRetryAfter'];

/** @throws TypeError if it is invalid. */
function readExpectation(expectation: unknown): (verify: Verify) => void {
  const fields = objectOf(expectation);
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`Unknown property "${unknown}" of an expectation. ${suggestionFor(unknown, FIELDS)}`);
  const { respectedRetryAfter, count, min, max, ...match } = fields;
  if (respectedRetryAfter !== undefined) {
    if (respectedRetryAfter !== true || Object.keys(fields).length > 1)
      throw new TypeError('An expectation with respectedRetryAfter must be {"respectedRetryAfter":true}');
    return (verify) => {
      verify.respectedRetryAfter();
    };
  }
  for (const name of ['count', 'min', 'max', 'status']) {
    if (fields[name] !== undefined && !Number.isInteger(fields[name]))
      throw new TypeError(`The property ${name} of an expectation must be a whole number`);
  }
  for (const name of ['method', 'path']) {
    if (fields[name] !== undefined && typeof fields[name] !== 'string')
      throw new TypeError(`The property ${name} of an expectation must be a string`);
  }
  if (count === undefined && min === undefined && max === undefined)
    throw new TypeError('An expectation needs count, min, max or respectedRetryAfter');
  if (count !== undefined && (min !== undefined || max !== undefined))
    throw new TypeError("An expectation can't have count with min or max");
  const range = {
    ...(min === undefined ? {} : { min: min as number }),
    ...(max === undefined ? {} : { max: max as number }),
  };
  return (verify) => {
    verify.count(match, count === undefined ? range : (count as number));
  };
}
