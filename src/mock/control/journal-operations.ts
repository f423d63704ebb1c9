import type { Mock } from '../world/mock.js';
import { durationMs } from '../service/clock.js';
import type { JournalEntry } from '../service/journal.js';
import {
  checkFilter,
  COUNT,
  filterEntries,
  type JournalFilter,
  MATCH_CHECKS,
  type RequestMatch,
} from '../service/journal-filter.js';
import { ControlError, numberParameter, type ControlCall, type Operations, objectOf } from './operation.js';
import { WHOLE_NUMBER, MATCH, TEXT, input, listOf, object, ref } from './schemas.js';
import { type Checks, findProblem, mustBe, problemError } from '../../options/check-options.js';
import type { Verify } from '../service/verify.js';

export const JOURNAL_OPERATIONS: Operations = {
  'GET /journal': {
    id: 'listRequests',
    summary: 'List the requests, or wait for them: with one key if Authorization is set',
    query: {
      method: 'Only requests with this method',
      path: 'Only requests with this path below /v1',
      status: 'Only responses with this status',
      since: 'Only entries with a higher sequence number',
      limit: 'Only the last requests, this many',
      count: 'Wait until this number of requests match',
      timeout: 'Longest wait, such as 5s or 500ms (default 5s, at most 60s)',
    },
    response: ref('Journal'),
    errors: { 408: { allOf: [ref('Error'), ref('Journal')] } },
    run: listRequests,
  },
  'DELETE /journal': {
    id: 'clearRequests',
    summary: 'Forget the requests: of one key with Authorization, of all without',
    response: ref('Journal'),
    run({ mock, key }) {
      mock.clearJournal(key);
      return { entries: [], dropped: 0 };
    },
  },
  'GET /explain': {
    id: 'explainRequest',
    summary: 'Explain a response, such as the windows behind a 429',
    query: { entry: 'Sequence number of the request' },
    response: object({ entry: ref('Entry'), reason: TEXT, text: listOf(TEXT) }, { limits: ref('Limits') }),
    run(call) {
      const entry = numberParameter(call, 'entry');
      if (entry === undefined) throw new TypeError('The query needs entry, such as ?entry=7');
      try {
        return call.mock.explain(entry);
      } catch (error) {
        throw new ControlError(404, 'not_found', (error as Error).message);
      }
    },
  },
};

async function listRequests(call: ControlCall): Promise<object> {
  const { mock, world, key, query, signal } = call;
  const filter = readFilter(call);
  const count = numberParameter(call, 'count');
  const ignored = count === undefined ? 'timeout' : 'limit';
  if (query.has(ignored))
    throw new TypeError(
      `The parameter ${ignored} has no effect ${count === undefined ? 'without' : 'with'} count`,
    );
  if (count === undefined) {
    const found = filterEntries(world.journal, filter);
    const limit = numberParameter(call, 'limit') ?? found.length;
    return page(mock, found.slice(Math.max(0, found.length - limit)));
  }
  const timeoutMs = durationMs(query.get('timeout') ?? '5s');
  const entries = await mock.waitForRequests(filter, { key, count, timeoutMs, signal });
  if (entries.length >= count) return page(mock, entries);
  throw new ControlError(
    408,
    'timeout',
    `${String(entries.length)} of ${String(count)} requests arrived within ${String(timeoutMs)} ms`,
    { details: page(mock, entries) },
  );
}

function readFilter(call: ControlCall): JournalFilter {
  const filter: JournalFilter = {};
  for (const name of ['method', 'path'] as const) {
    const text = call.query.get(name);
    if (text !== null) filter[name] = text;
  }
  for (const name of ['status', 'since'] as const) {
    const number = numberParameter(call, name);
    if (number !== undefined) filter[name] = number;
  }
  checkFilter(filter, { hasSince: true });
  return filter;
}

function page(
  mock: Mock,
  entries: readonly JournalEntry[],
): { entries: readonly JournalEntry[]; dropped: number } {
  return { entries, dropped: mock.state().journal.dropped };
}

export const EXPECTATION_OPERATIONS: Operations = {
  'POST /expectations': {
    id: 'checkExpectations',
    summary: 'Check the requests so far: 200 if all expectations hold, otherwise 409',
    request: {
      schema: input({
        expectations: listOf(
          input(
            {},
            {
              ...MATCH,
              count: WHOLE_NUMBER,
              min: WHOLE_NUMBER,
              max: WHOLE_NUMBER,
              respectedRetryAfter: { const: true },
            },
          ),
        ),
      }),
      example: {
        expectations: [
          { method: 'POST', path: '/pets', count: 1 },
          { method: 'GET', min: 1, max: 3 },
          { respectedRetryAfter: true },
        ],
      },
    },
    response: ref('ExpectationResults'),
    errors: { 409: { allOf: [ref('Error'), ref('ExpectationResults')] } },
    run: checkExpectations,
  },
};

function checkExpectations({ world: { verify }, body }: ControlCall): object {
  const { expectations } = objectOf(body);
  if (!Array.isArray(expectations) || expectations.length === 0)
    throw new TypeError('The body needs a list "expectations", such as [{"method":"POST","count":1}]');
  const results = expectations.map((expectation: unknown, index) => {
    const place = `expectations[${String(index)}]`;
    const check = readExpectation(expectation, place);
    try {
      check(verify);
      return { expectation, passed: true };
    } catch (error) {
      // It could never hold.
      if (error instanceof TypeError) throw new TypeError(`${place}: ${error.message}`, { cause: error });
      return { expectation, passed: false, message: (error as Error).message };
    }
  });
  const failed = results.find(({ passed }) => !passed);
  if (failed === undefined) return { passed: true, results };
  throw new ControlError(409, 'expectation_failed', failed.message ?? '', {
    details: { passed: false, results },
  });
}

const CHECKS = {
  ...MATCH_CHECKS,
  count: COUNT,
  min: COUNT,
  max: COUNT,
  respectedRetryAfter: mustBe('true', (value) => value === true),
} satisfies Checks;

/** @throws TypeError if it is invalid. */
function readExpectation(expectation: unknown, place: string): (verify: Verify) => void {
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
