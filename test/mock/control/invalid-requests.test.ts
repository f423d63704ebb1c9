import { expect, test } from 'vitest';
import { serveControl } from './serve-control.js';

const { control, url } = serveControl();

test('rejects unknown paths, methods and bodies', async () => {
  expect(await control('GET', '/nonsense')).toMatchObject({ status: 404, json: { status: 404 } });
  expect(await control('GET', '/constructor')).toMatchObject({ status: 404 });
  expect(await control('GET', '/reset')).toMatchObject({ status: 405, json: { status: 405 } });
  const rejected = await fetch(`${url()}/__mock/pets`, { method: 'PATCH' });
  expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT']);
  const head = await fetch(`${url()}/__mock/faults`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const beyond = await fetch(`${url()}/__mock/nonsense`, { method: 'HEAD' });
  expect([beyond.status, await beyond.text()]).toEqual([404, '']);
});

/** The method, the path and the body of a request. */
function partsOf(line: string): [method: string, path: string, body: string | undefined] {
  const [, method = '', path = '', body] = /^(\S+) (\S+)(?: ([^]*))?$/.exec(line) ?? [];
  return [method, path, body];
}

// What would have no effect is rejected, and the nearest name suggested.
test.each([
  ['GET /journal?metod=POST', 'Unknown parameter "metod". Did you mean "method"?'],
  ['GET /journal?status=1&status=2', 'The parameter status occurs more than once'],
  ['GET /journal?timeout=1s', 'The parameter timeout has no effect without count'],
  ['GET /journal?limit=-1', 'The parameter limit must be a whole number of 0 or more'],
  ['GET /journal?count=1&timeout=2h', 'The time-out must be 0 to 60000 ms'],
  ['GET /journal?count=1&timeout=2x', 'Invalid duration: "2x" (valid: "500ms", "60s", "5m")'],
  ['GET /journal?count=0&limit=1', 'The parameter limit has no effect with count'],
  ['GET /events?tenent=2', 'Unknown parameter "tenent". Did you mean "tenant"?'],
  ['GET /state?journal', 'Unknown parameter "journal". Known: tenant.'],
  ['PUT /pets/5 {"id":6,"name":"Rex","categoryId":1}', 'The body has the id 6, the path has 5'],
  ['PUT /pets {"pets":[],"pet":[]}', 'Unknown property "pet" of the body. Did you mean "pets"?'],
  ['PUT /pets [{"name":"Rex","categoryId":1}]', 'The body is not a JSON object'],
  ['POST /reset {"key":"a"}', 'Unknown property "key" of the body. This request needs no body.'],
  ['POST /clock {"advnce":"1s"}', 'Unknown property "advnce" of the body. Did you mean "advance"?'],
  ['POST /clock {"advance":"60"}', 'Invalid duration: "60" (valid: "500ms", "60s", "5m")'],
  ['POST /clock {"run":true,"freeze":true}', 'The body can have only one of "advance", "freeze" and "run"'],
  ['POST /expectations {"expectation":[]}', 'Unknown property "expectation" of the body. Did you mean "ex'],
  [
    'POST /expectations {"expectations":[{"count":1,"min":1}]}',
    "expectations[0] can't have count with min or",
  ],
  ['POST /expectations {"expectations":[{"respectedRetryAfter":true,"count":1}]}', 'can have no other prop'],
  ['PUT /snapshot {"world":[]}', 'Unknown property "world" of the body. Did you mean "worlds"?'],
])('%s gets 400: %s', async (line, message) => {
  const expected = { status: 400, message: expect.stringContaining(message) as string };
  expect(await control(...partsOf(line))).toMatchObject({ status: 400, json: expected });
});

test.each([
  ['PUT /faults {"faults": [flaky]}', 'found "f" in line 1, column 13. Send JSON, such as {"faults":['],
  ['POST /clock {\n  "advance": "60s",\n}', 'found "}" in line 3, column 1. Send JSON, such as {"advance":'],
  ['POST /tenants plan=pro', 'found "p" in line 1, column 1. Send JSON, such as {"plan":"pro"'],
  ['POST /reset {', 'found the end of the text in line 1, column 2. This request needs no body.'],
])('%j gets the place of the error and what to send', async (line, text) => {
  const { status, json } = await control(...partsOf(line));
  const message = expect.stringContaining(`The body is not JSON: ${text}`) as string;
  expect([status, json]).toMatchObject([400, { code: 'invalid_json', message }]);
});
