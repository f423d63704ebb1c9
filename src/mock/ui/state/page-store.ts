import { parseJson } from '../../../schema/json.js';
import type { RequestEvent } from '../../service/events.js';
import { withQuery, type Api } from './api.js';
import { mockTime, type ReceivedState } from './mock-time.js';
import { createRequestLog, type RequestLog } from './request-log.js';
import type { ActiveFault, Entry, SeenRequest, State, StateChange, Wire } from './wire.js';

/** Requests that the page keeps: as many as the journal of the mock has by default. */
const REQUESTS_MAX = 1_000;

/** Requests are shown together after this time, so that many of them stay cheap. In milliseconds. */
const UPDATE_INTERVAL_MS = 100;

/** An event that is later than the one before must not move the clock back, which would flicker. In milliseconds. */
const LATENCY_MS_MAX = 1_000;

/** What a reload keeps. The journal of the mock has no responses. */
export interface KeptPage {
  /** Of the mock. Another one can have other requests with the same numbers. */
  instance: string;
  tenant: number | undefined;
  requests: readonly SeenRequest[];
}

/** What the page shows. Changed only by the store. */
export interface Model extends ReceivedState {
  connection: 'connecting' | 'open' | 'closed';
  /** Number of the selected key; `undefined` for all. */
  tenant: number | undefined;
  /** The faults of the selected key, or those for every key. */
  faults: readonly ActiveFault[];
  log: RequestLog;
  /** Increases when pets may have changed. */
  petsVersion: number;
  /** The last failure, for the alert. */
  failure: string;
  /** The last success, for screen readers. */
  notice: string;
}

/** Receives events, and keeps what the page shows. */
export interface PageStore {
  readonly model: Model;
  readonly api: Api;
  /** Handles the data of an event `request`. */
  receiveRequest(data: string): void;
  /** Handles the data of an event `state`. */
  receiveState(data: string): void;
  setConnection(connection: Model['connection']): void;
  selectTenant(tenant: number | undefined): void;
  /**
   * Sends a change to the mock. Shows a failure.
   *
   * @param done the notice after success.
   * @returns whether it succeeded.
   */
  change(method: string, path: string, body: object | undefined, done: string): Promise<boolean>;
  fail(error: unknown): void;
  dismissFailure(): void;
  notify(notice: string): void;
}

/** Time and drawing, which tests replace. */
export interface PageStoreHost {
  api: Api;
  /** What the page showed before a reload. */
  kept?: KeptPage | undefined;
  /** Milliseconds since a fixed time. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): void;
  draw(): void;
}

export function createPageStore({ api, now, setTimeout, draw, ...host }: PageStoreHost): PageStore {
  const model: Model = {
    connection: 'connecting',
    state: undefined,
    stateAt: 0,
    tenant: undefined,
    faults: [],
    log: createRequestLog(REQUESTS_MAX),
    petsVersion: 0,
    failure: '',
    notice: '',
  };
  let { kept } = host;
  let arrived: SeenRequest[] = [];
  let loadingRequests: Promise<void> | undefined;
  let isJournalStale = false;
  let isUpdateDue = false;
  /** Counts what was requested or received of each, so that a late response never replaces newer data. */
  const latest = { state: 0, faults: 0 };

  const setState = (state: State): void => {
    const backMs = mockTime(model, now()).now - Date.parse(state.now);
    const isLatency = backMs > 0 && backMs < LATENCY_MS_MAX;
    Object.assign(model, { state, stateAt: now() - (isLatency ? backMs : 0) });
    if (!state.tenants.some(({ tenant }) => tenant === model.tenant)) model.tenant = undefined;
    if (model.tenant === undefined) model.faults = state.faults;
  };
  const loadFaults = async (): Promise<void> => {
    const { tenant } = model;
    const order = ++latest.faults;
    if (tenant === undefined) return;
    const { faults } = (await api.send('GET', withQuery('/faults', tenant))) as Pick<Model, 'faults'>;
    if (order === latest.faults) model.faults = faults;
  };
  const loadState = async (): Promise<void> => {
    const order = ++latest.state;
    const state = (await api.send('GET', '/state')) as State;
    if (order !== latest.state) return;
    setState(state);
    await loadFaults();
  };
  const loadEntries = async (): Promise<readonly Entry[]> => {
    const journal = await api.send('GET', `/journal?limit=${String(REQUESTS_MAX)}`);
    return (journal as { entries: readonly Entry[] }).entries;
  };
  const loadRequests = async (): Promise<void> => {
    // Shown only if the journal still has them, because "Clear" may have removed them.
    const before = arrived;
    arrived = [];
    const entries = await loadEntries().catch((error: unknown) => {
      arrived = [...before, ...arrived];
      throw error;
    });
    // Requests that arrived while the list was loading may be older than its entries, if the journal is small.
    const known = new Map(
      [...model.log.all, ...before, ...arrived].map((seen) => [identityOf(seen.entry), seen]),
    );
    // The journal knows which requests were aborted.
    const loaded = entries.map((entry) => ({ ...known.get(identityOf(entry)), entry }));
    model.log.clear();
    model.log.add([...loaded, ...arrived].sort((one, other) => one.entry.sequence - other.entry.sequence));
    arrived = [];
  };
  /** Many changes of the journal at once, such as aborted requests, load it twice. */
  const loadWhileStale = async (): Promise<void> => {
    while (isJournalStale) {
      isJournalStale = false;
      await loadRequests();
    }
  };
  const fail = (error: unknown): void => {
    Object.assign(model, { failure: error instanceof Error ? error.message : String(error), notice: '' });
    draw();
  };
  /** Shows the requests that have arrived, and the windows after them. */
  const update = async (): Promise<void> => {
    await loadingRequests;
    model.log.add(arrived);
    arrived = [];
    draw();
    try {
      await loadState();
    } catch {
      // The event stream reports that the mock does not respond.
    }
    isUpdateDue = false;
    if (arrived.length > 0) updateSoon();
    draw();
  };
  const updateSoon = (): void => {
    if (isUpdateDue) return;
    isUpdateDue = true;
    setTimeout(() => void update(), UPDATE_INTERVAL_MS);
  };

  return {
    model,
    api,
    receiveRequest(data) {
      const { entry, response, delayMs } = parseJson(data) as Wire<RequestEvent>;
      arrived.push({ entry, delayMs, ...(response === undefined ? {} : { response }) });
      if (entry.method !== 'GET' && entry.method !== 'HEAD') model.petsVersion += 1;
      updateSoon();
    },
    receiveState(data) {
      const { changed, state, tenant } = parseJson(data) as StateChange;
      latest.state += 1;
      if (kept?.instance === state.instance) {
        model.log.add(kept.requests);
        model.tenant = kept.tenant;
      }
      kept = undefined;
      setState(state);
      if (changed === 'reset' && tenant === undefined) {
        arrived = [];
        model.log.clear();
      }
      if (changed === 'connected' || changed === 'journal') {
        isJournalStale = true;
        loadingRequests ??= loadWhileStale()
          .then(draw, fail)
          .finally(() => (loadingRequests = undefined));
      }
      if (/^(?:connected|pets|reset)$/.test(changed)) model.petsVersion += 1;
      loadFaults().then(draw, fail);
    },
    setConnection(connection) {
      // The last failure was probably that the mock did not respond.
      if (model.connection === 'closed') model.failure = '';
      model.connection = connection;
      draw();
    },
    selectTenant(tenant) {
      model.tenant = tenant;
      model.faults = tenant === undefined ? (model.state?.faults ?? []) : [];
      model.petsVersion += 1;
      draw();
      loadFaults().then(draw, fail);
    },
    async change(method, path, body, done) {
      try {
        await api.send(method, withQuery(path, model.tenant), body);
      } catch (error) {
        fail(error);
        return false;
      }
      Object.assign(model, { failure: '', notice: done });
      draw();
      return true;
    },
    fail,
    dismissFailure() {
      model.failure = '';
      draw();
    },
    notify(notice) {
      model.notice = notice;
      draw();
    },
  };
}

/** Sequence numbers start again after a reset, and a frozen clock repeats times. */
function identityOf({ sequence, at, method, target }: Entry): string {
  return `${String(sequence)} ${at} ${method} ${target}`;
}
