import { expect, test } from 'vitest';
import { atTerminal, whyNoTerminal, withoutEscapes } from '../support/terminal.js';

const obstacle = whyNoTerminal();
const line = (name: string) => ['--mock', 'domain', 'verify', name, '--wait'];

test.skipIf(obstacle !== undefined).each([40, 80, 120])(
  'a wait for a domain counts down on one line of a terminal of %i columns, which goes away',
  async (columns) => {
    const terminal = atTerminal(line('missing.example.test'), { columns });
    await terminal.sees(/\r\u001b\[K.*next look in \d s/);
    await terminal.sees(/\r\u001b\[K.*next look in \d s/);
    terminal.type('\u0003');
    const { exitCode, shown } = await terminal.finished;
    expect(exitCode).toBe(130);
    for (const drawn of shown.split('\r\u001b[K').slice(1)) {
      const text = withoutEscapes(drawn).split('\n')[0] ?? '';
      if (text.includes('next look in')) expect(text.length).toBeLessThan(columns);
    }
    // What stays stands alone.
    const kept = shown.split('\n').map((text) => text.split('\r\u001b[K').at(-1) ?? '');
    expect(kept.filter((text) => text.includes('next look in'))).toEqual([]);
    expect(kept.join('\n')).toContain('go on with: petstore --mock domain verify missing.example.test');
  },
);
