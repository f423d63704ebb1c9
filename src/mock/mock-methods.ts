import { checkOptions, TENANT_CHECKS } from './check-options.js';
import { initialPets, petsOfSnapshot, type Service } from './create-service.js';
import type { Mock } from './mock.js';
import { requestEvent } from './service/events.js';
import { explain } from './service/explain.js';
import type { JournalEntry } from './service/journal.js';
import { advanceClock, createMockTenant } from './tenant.js';

/** Handles requests. */
export function exchangeMethods(
  { handler, journal, listeners, wait }: Service,
  onRequest: ((entry: JournalEntry) => void) | undefined,
): Pick<Mock, 'handle' | 'exchange'> {
  const handle: Mock['handle'] = (request) => {
    const outcome = handler(request);
    const entry = onRequest === undefined && listeners.size === 0 ? undefined : journal.last();
    if (entry === undefined) return outcome;
    if (listeners.size > 0) listeners.emit(requestEvent(entry, outcome));
    onRequest?.(entry);
    return outcome;
  };
  return {
    handle,
    async exchange(request, signal) {
      signal?.throwIfAborted();
      const outcome = handle(request);
      if (outcome.delayMs > 0) await wait(outcome, signal);
      signal?.throwIfAborted();
      return outcome;
    },
  };
}

/** Keys, their pets and their clocks. */
export function tenantMethods({
  keys,
  plan,
  seed,
  pets,
  clock,
  tenants,
  journal,
  listeners,
  changed,
  replay,
}: Service): Pick<Mock, 'advance' | 'tenant' | 'forKey' | 'removeTenant' | 'snapshot' | 'restore'> {
  const [firstKey = ''] = keys;
  return {
    advance(by, key = firstKey) {
      const at = advanceClock(clock, tenants.get(key), by);
      changed('clock');
      return at;
    },
    tenant(options = {}) {
      checkOptions(options, TENANT_CHECKS);
      const { plan: ownPlan = plan, pets: ownPets } = options;
      const key = tenants.add(ownPlan, ownPets === undefined ? pets : initialPets(ownPets, seed));
      changed('tenants');
      return key;
    },
    forKey: (key = firstKey) =>
      createMockTenant(key, tenants.get(key), {
        ...{ clock, journal, seed, emit: listeners.emit },
        isReplay: replay !== undefined,
      }),
    removeTenant(key) {
      tenants.remove(key);
      changed('tenants');
    },
    snapshot: () => tenants.snapshot(),
    restore(snapshot) {
      tenants.restore(petsOfSnapshot(snapshot));
      changed('pets');
    },
  };
}

/** The requests so far. */
export function journalMethods({
  tenants,
  journal,
  replay,
  listeners,
  changed,
}: Service): Pick<Mock, 'clearJournal' | 'explain' | 'subscribe'> {
  return {
    clearJournal(key) {
      if (key === undefined) {
        journal.clear();
        for (const tenant of tenants.byKey.values()) tenant.journalStart = 0;
      } else tenants.get(key).journalStart = journal.recorded;
      changed('journal');
    },
    explain(sequence) {
      const found = journal.find(sequence);
      if (found === undefined) throw new TypeError(`The journal has no entry ${String(sequence)}`);
      return explain(found.entry, found.limits, { isReplay: replay !== undefined });
    },
    subscribe: (listener) => listeners.add(listener),
  };
}
