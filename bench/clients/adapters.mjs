// The compared clients behind one interface, each with its default settings, except where a comment says why not.

/**
 * @typedef {object} Settings
 * @property {string} baseUrl
 * @property {string} apiKey
 * @property {number} [timeoutMs] time limit of a request, where the client has one.
 *
 * @typedef {object} Adapter
 * @property {string[]} packages imported, and passed to `open`.
 * @property {'none'} [signal] the client has no option for an AbortSignal.
 * @property {'none'} [timeout] the client has no option for a time limit.
 * @property {'object'} [lists] the client does not accept an array as a response.
 * @property {'none'} [json] the client reads no JSON, or only that of its own service.
 * @property {(modules: any[], settings: Settings) => Calls} open
 *
 * @typedef {object} Calls each resolves to the data, and rejects if the client says that the call failed.
 * @property {(options?: { signal?: AbortSignal }) => Promise<unknown>} list
 * @property {(options?: { signal?: AbortSignal }) => Promise<unknown>} create
 */

const PET = { name: 'Rex', categoryId: 7 };

/** @type {Record<string, Adapter>} */
export const ADAPTERS = {
  petstore: {
    packages: ['petstore'],
    open: ([{ createPetStore }], settings) => petStoreCalls(createPetStore({ ...settings })),
  },
  openai: {
    packages: ['openai'],
    open([{ default: OpenAI }], { baseUrl, apiKey, timeoutMs }) {
      const client = new OpenAI({ apiKey, baseURL: baseUrl, ...optional('timeout', timeoutMs) });
      return {
        list: ({ signal } = {}) => client.get('/pets', { signal }),
        create: ({ signal } = {}) => client.post('/pets', { body: PET, signal }),
      };
    },
  },
  stripe: {
    packages: ['stripe'],
    signal: 'none',
    open([{ default: Stripe }], { baseUrl, apiKey, timeoutMs }) {
      const { hostname, port, pathname } = new URL(baseUrl);
      const address = { protocol: 'http', host: hostname, port };
      const client = new Stripe(apiKey, { ...address, telemetry: false, ...optional('timeout', timeoutMs) });
      return {
        list: () => client.rawRequest('GET', `${pathname}/pets`),
        create: () => client.rawRequest('POST', `${pathname}/pets`, PET),
      };
    },
  },
  ky: {
    packages: ['ky'],
    open([{ default: ky }], { baseUrl, apiKey, timeoutMs }) {
      const client = ky.create({ headers: bearer(apiKey), ...optional('timeout', timeoutMs) });
      return {
        list: (options) => client.get(`${baseUrl}/pets`, options).json(),
        create: (options) => client.post(`${baseUrl}/pets`, { json: PET, ...options }).json(),
      };
    },
  },
  got: {
    packages: ['got'],
    open([{ default: got }], { baseUrl, apiKey, timeoutMs }) {
      const timeout = timeoutMs === undefined ? {} : { timeout: { request: timeoutMs } };
      const client = got.extend({ headers: bearer(apiKey), ...timeout });
      return {
        list: (options) => client.get(`${baseUrl}/pets`, options).json(),
        create: (options) => client.post(`${baseUrl}/pets`, { json: PET, ...options }).json(),
      };
    },
  },
  axios: {
    packages: ['axios'],
    open([{ default: axios }], { baseUrl, apiKey, timeoutMs }) {
      const limits = optional('timeout', timeoutMs);
      const client = axios.create({ baseURL: baseUrl, headers: bearer(apiKey), ...limits });
      const data = (response) => response.data;
      return {
        list: (options) => client.get('/pets', options).then(data),
        create: (options) => client.post('/pets', PET, options).then(data),
      };
    },
  },
  'openapi-fetch': {
    packages: ['openapi-fetch'],
    timeout: 'none',
    open([{ default: createClient }], { baseUrl, apiKey }) {
      const client = createClient({ baseUrl, headers: bearer(apiKey) });
      // It returns the error of a response; the caller throws it.
      const data = ({ data, response }) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return data;
      };
      return {
        list: (options) => client.GET('/pets', options).then(data),
        create: (options) => client.POST('/pets', { body: PET, ...options }).then(data),
      };
    },
  },
  undici: {
    packages: ['undici'],
    open([{ Agent, RetryAgent, request }], { baseUrl, apiKey, timeoutMs }) {
      // It retries with RetryAgent only.
      const dispatcher = new RetryAgent(new Agent({ ...limits(timeoutMs) }));
      const send = async (path, options) => {
        const { statusCode, body } = await request(`${baseUrl}${path}`, { dispatcher, ...options });
        if (statusCode >= 400) throw new Error(`status ${statusCode}`);
        return body.json();
      };
      const headers = bearer(apiKey);
      const post = { method: 'POST', body: JSON.stringify(PET), headers: { ...headers, ...JSON_TYPE } };
      return {
        list: (options) => send('/pets', { headers, ...options }),
        create: (options) => send('/pets', { ...post, ...options }),
      };
    },
  },
  octokit: {
    packages: ['@octokit/core', '@octokit/plugin-throttling', '@octokit/plugin-retry'],
    timeout: 'none',
    open([{ Octokit }, { throttling }, { retry }], { baseUrl, apiKey }) {
      // The plug-in has no default for these: two retries.
      const onLimit = (_retryAfter, _options, _octokit, retryCount) => retryCount < 2;
      const client = new (Octokit.plugin(throttling, retry))({
        auth: apiKey,
        baseUrl,
        log: { debug() {}, info() {}, warn() {}, error() {} },
        throttle: { id: apiKey, onRateLimit: onLimit, onSecondaryRateLimit: onLimit },
      });
      const send = async (route, { signal, ...fields } = {}) => {
        const { data } = await client.request(route, { ...fields, request: { signal } });
        return data;
      };
      return {
        list: (options) => send('GET /pets', options),
        create: (options) => send('POST /pets', { ...PET, ...options }),
      };
    },
  },
  azure: {
    packages: ['@azure/core-rest-pipeline'],
    json: 'none',
    open([azure], { baseUrl, apiKey, timeoutMs }) {
      const pipeline = azure.createPipelineFromOptions({});
      const httpClient = azure.createDefaultHttpClient();
      // A generated client adds the errors and reads the JSON.
      const send = async (path, fields) => {
        const request = azure.createPipelineRequest({
          url: `${baseUrl}${path}`,
          headers: azure.createHttpHeaders({ ...bearer(apiKey), ...JSON_TYPE }),
          allowInsecureConnection: true,
          ...optional('timeout', timeoutMs),
          ...fields,
        });
        const response = await pipeline.sendRequest(httpClient, request);
        if (response.status >= 300)
          throw new azure.RestError(`status ${response.status}`, { response, request });
        return JSON.parse(response.bodyAsText);
      };
      return {
        list: ({ signal } = {}) => send('/pets', { abortSignal: signal }),
        create: ({ signal } = {}) =>
          send('/pets', { method: 'POST', body: JSON.stringify(PET), abortSignal: signal }),
      };
    },
  },
  aws: {
    packages: ['@aws-sdk/client-dynamodb'],
    lists: 'object',
    json: 'none',
    open([{ DynamoDBClient, ListTablesCommand, CreateTableCommand }], { baseUrl, apiKey, timeoutMs }) {
      const client = new DynamoDBClient({
        endpoint: baseUrl,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: apiKey },
        ...(timeoutMs === undefined ? {} : { requestHandler: { requestTimeout: timeoutMs } }),
      });
      const send = (command, { signal } = {}) => client.send(command, { abortSignal: signal });
      const table = { TableName: 'pets', BillingMode: 'PAY_PER_REQUEST' };
      const key = {
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      };
      return {
        list: (options) => send(new ListTablesCommand({}), options),
        create: (options) => send(new CreateTableCommand({ ...table, ...key }), options),
      };
    },
  },
  discord: {
    packages: ['@discordjs/rest'],
    open([{ REST }], { baseUrl, apiKey, timeoutMs }) {
      // It adds the version to the address: /v1.
      const api = new URL(baseUrl).origin;
      const rest = new REST({ api, version: '1', authPrefix: 'Bearer', ...optional('timeout', timeoutMs) });
      rest.setToken(apiKey);
      return {
        list: (options) => rest.get('/pets', options),
        create: (options) => rest.post('/pets', { body: PET, ...options }),
      };
    },
  },
  slack: {
    packages: ['@slack/web-api'],
    signal: 'none',
    lists: 'object',
    open([{ WebClient }], { baseUrl, apiKey, timeoutMs }) {
      const client = new WebClient(apiKey, {
        slackApiUrl: `${baseUrl}/`,
        logger: SILENT_LOGGER,
        // By default it retries for 30 minutes.
        retryConfig: { retries: 2, minTimeout: 500, factor: 2 },
        ...optional('timeout', timeoutMs),
      });
      return {
        list: () => client.apiCall('pets'),
        create: () => client.apiCall('pets', PET),
      };
    },
  },
};

/** @returns {Calls} */
export function petStoreCalls(store) {
  return {
    list: (options) => store.pets.list({}, options),
    create: (options) => store.pets.create(PET, options),
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const SILENT_LOGGER = Object.fromEntries(
  ['debug', 'info', 'warn', 'error', 'setLevel', 'getLevel', 'setName'].map((name) => [name, () => 'error']),
);

function bearer(apiKey) {
  return { authorization: `Bearer ${apiKey}` };
}

function optional(name, value) {
  return value === undefined ? {} : { [name]: value };
}

function limits(timeoutMs) {
  return timeoutMs === undefined ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
}
