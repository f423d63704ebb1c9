import { PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import type { Session } from '../../session/action.js';

/**
 * With --dry-run and --curl there is no response, so only the first of several requests is known.
 *
 * @param statuses those that are listed; empty for all of them.
 */
export function noteFirstOfAll(session: Session, statuses: readonly PetStatus[] = []): void {
  if (session.recorder === undefined || statuses.length === 1) return;
  session.note(
    statuses.length === 0
      ? `This is the first of up to ${String(1 + PET_STATUSES.length)} requests. If the response is full, one request per status follows.`
      : `This is the first of ${String(statuses.length)} requests, one per status.`,
  );
}
