import { PET_STATUSES } from '../../../schema/pet-reader.js';
import type { Session } from '../../session/action.js';

/** With --dry-run and --curl there is no response, so only the first request is known. */
export function noteFirstOfAll(session: Session): void {
  if (session.recorder === undefined) return;
  session.note(
    `This is the first of up to ${String(1 + PET_STATUSES.length)} requests. If the response is full, one request per status follows.`,
  );
}
