import { type Checks, findProblem, mustBe, problemError } from '../../options/check-options.js';
import { MATCH_CHECKS, type RequestMatch } from '../service/journal-filter.js';
import { COUNT, type Verify } from '../service/verify.js';
import { ControlError, objectOf, type ControlCall, type Operations } from './operation.js';

export const EXPECTATION_OPERATIONS: Operations = {
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

function checkExpectations({ world: { verify }, body }: ControlCall): {
  passed: true;
  results: readonly Result[];
} {
  const { expectations } = objectOf(body);
  if (!Array.isArray(expectations) || expectations.length === 0)
    throw new TypeError('The body needs a list "expectations", such as [{"method":"POST","count":1}]');
  const checks = expectations.map(readExpectation);
  const results = checks.map((check, index): Result => {
    const expectation: unknown = expectations[index];
    try {
      check(verify);
      return { expectation, passed: true };
    } catch (error) {
      // It could never hold.
      if (error instanceof TypeError)
        throw new TypeError(`expectations[${String(index)}]: ${error.message}`, { cause: error });
      return { expectation, passed: false, message: (error as Error).message };
    }
  });
  const failed = results.find(({ passed }) => !passed);
  if (failed === undefined) return { passed: true, results };
  throw new ControlError(409, 'expectation_failed', failed.message ?? '', { passed: false, results });
}

const CHECKS = {
  ...MATCH_CHECKS,
  count: COUNT,
  min: COUNT,
  max: COUNT,
  respectedRetryAfter: mustBe('true', (value) => value === true),
} satisfies Checks;

/** @throws TypeError if it is invalid. */
function readExpectation(expectation: unknown, index: number): (verify: Verify) => void {
  const place = `expectations[${String(index)}]`;
  const problem = findProblem(expectation, CHECKS, { what: place, noun: 'property', prefix: `${place}.` });
  if (problem !== undefined) throw problemError(problem);
  const { respectedRetryAfter, count, min, max, ...match } = expectation as Expectation;
  if (respectedRetryAfter !== undefined) {
    if (Object.keys(expectation as object).length > 1)
      throw new TypeError(`${place} can have no other property with respectedRetryAfter`);
    return (verify) => verify.respectedRetryAfter();
  }
  if (count === undefined && min === undefined && max === undefined)
    throw new TypeError(`${place} needs count, min, max or respectedRetryAfter`);
  if (count !== undefined && (min !== undefined || max !== undefined))
    throw new TypeError(`${place} can't have count with min or max`);
  const range = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  return (verify) => verify.count(match, count ?? range);
}

interface Expectation extends RequestMatch {
  count?: number;
  min?: number;
  max?: number;
  respectedRetryAfter?: true;
}
