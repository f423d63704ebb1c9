import { describe, expect, test } from 'vitest';
import { entering, openProcesses, told } from './shared-processes.js';

describe('a ledger', () => {
  test('that fails is done without, with one warning, and a 429 is carried over when it is back', async () => {
    const { clock, place, failures, process, report } = openProcesses();
    const [one, other] = [process('one'), process('other')];
    await report(one, { kind: 'answer' });
    place.mode = 'fails';
    await report(one, { kind: 'limited', holdMs: 20_000, toldMs: 20_000 });
    expect(failures).toHaveLength(1);
    place.mode = 'works';
    const waiting = entering(one);
    await clock.advance(3_000);
    await one.look();
    const entry = entering(other);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit]).toEqual([undefined, undefined]);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit].filter(Boolean)).toHaveLength(1);
  });

  test('that hangs holds a call for ten seconds, and the next ones not at all', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 1;
    place.mode = 'hangs';
    const gate = process('one');
    const first = entering(gate);
    await clock.advance(10_001);
    expect(first.permit).toBeDefined();
    first.permit?.leave({ kind: 'answer' });
    const second = entering(gate);
    await clock.advance(0);
    expect(second.permit).toBeDefined();
  });

  test('whose text is no budget, or lost, begins with what is known here, with a warning', async () => {
    const { clock, place, failures, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, { kind: 'answer' });
    entering(process('other'));
    await clock.advance(0);
    await report(gate, { kind: 'limited', holdMs: 20_000, toldMs: 20_000 });
    expect(place.text).toContain('"holder":"other"');
    for (const text of ['nonsense', undefined]) {
      place.text = text;
      const entry = entering(gate);
      await clock.advance(5_000);
      expect(entry.permit).toBeUndefined();
    }
    expect(failures).toHaveLength(1);
    expect(place.text).toContain('"strikes":1');
    expect(place.text).not.toContain('"holder":"other"');
  });

  test('is told before a flush ends', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 5;
    const gate = process('one');
    const entry = entering(gate);
    await clock.advance(100);
    entry.permit?.leave(told(7));
    const flushed = gate.flush();
    await clock.advance(100);
    await flushed;
    expect(place.text).toContain('"remaining":7');
    expect(gate.rateLimit?.remaining).toBe(7);
    expect(gate.idle).toBe(true);
  });
});
