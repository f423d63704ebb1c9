import type { Clock } from '../time/clock.js';
import { BUDGET_KEPT_MS } from './fallback.js';
import type { Ledger, Reading } from './ledger.js';

/** A text that is to stand in the ledger. */
interface Proposal {
  text: string;
}

/** Those who lose the first exchanges to others step back for a moment. */
const CONFLICTS_AT_ONCE = 3;
const STEP_BACK_MAX_MS = 50;

/**
 * Reads the ledger and swaps in what is proposed on that, anew until nobody else was quicker. Resolves with what stands there
 * now, and the ledger's time.
 *
 * @param propose is called with a reading, and with when that was asked for, on the clock of this process. What it says is
 *   not swapped in where it changes nothing.
 */
export async function exchange<T extends Proposal>(
  ledger: Ledger,
  { clock, random }: { clock: Clock; random: () => number },
  propose: (reading: Reading, askedAt: number) => T,
): Promise<{ accepted: T; now: number }> {
  let askedAt = clock.monotonic();
  let reading = await ledger.read();
  for (let conflicts = 0; ; conflicts += 1) {
    const proposal = propose(reading, askedAt);
    if (proposal.text === reading.text) return { accepted: proposal, now: reading.now };
    askedAt = clock.monotonic();
    const swap = await ledger.swap(reading, proposal.text, BUDGET_KEPT_MS);
    reading = swap.reading;
    if (swap.swapped) return { accepted: proposal, now: reading.now };
    if (conflicts < CONFLICTS_AT_ONCE) continue;
    const mostMs = Math.min(STEP_BACK_MAX_MS, 2 ** conflicts);
    await new Promise<void>((resolve) => void clock.setTimeout(resolve, mostMs * random()));
    askedAt = clock.monotonic();
    reading = await ledger.read();
  }
}
