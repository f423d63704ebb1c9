import { type GateStore, resetBudget } from '../../../client/index.js';
import { openGate } from '../../config/gate.js';
import { findApiKey, noApiKey } from '../../credentials/api-key.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import { isDocumentFormat } from '../../output/index.js';
import type { Session } from '../../session/action.js';

/** Clears the stored rate budget of the key, with all waits. Sends nothing to the service. */
export async function resetLimits(offline: boolean, session: Session): Promise<undefined> {
  const { context, settings, global } = session;
  if (offline) throw new UsageError('--offline and --reset contradict each other', 'Pass only one of them.');
  if (session.recorder !== undefined) {
    session.note('Would clear the stored rate budget of this key.');
    return;
  }
  const gate = global.mock ? 'memory' : openGate(settings.gate, context);
  const cleared = gate !== 'memory' && (await clear(gate, session));
  if (isDocumentFormat(session.format))
    await session.print({
      kind: 'record',
      row: { cleared },
      columns: [{ field: 'cleared', header: 'cleared' }],
    });
  session.note(
    cleared ? 'Cleared the stored rate budget of this key.' : 'No rate budget of this key was stored.',
  );
}

async function clear(gate: GateStore, { context, settings, baseUrl }: Session): Promise<boolean> {
  const key = await findApiKey(settings, context);
  if (key === undefined) throw noApiKey(settings);
  try {
    return await resetBudget(gate, new URL(baseUrl).origin, key.secret, context.clientClock);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new CommandFailure(`Can't clear the stored rate budget${reason}`, {
      type: 'unavailable',
      exitCode: EXIT.unavailable,
      hint: 'Run "petstore doctor" to check where the budget is stored.',
      cause: error,
    });
  } finally {
    await gate.close();
  }
}
