import { test } from 'vitest';
import { atTerminal, whyNoTerminal, withoutEscapes } from '../support/terminal.js';

const obstacle = whyNoTerminal();
/** The progress line. Permanent lines start with the time. */
const DRAWN = /\r\u001b\[K(?:Waiting for [^\r\n;]*)?next check in \d s/;
const isDrawn = (text: string): boolean => /^(?:Waiting for|next check in)/.test(text);
const line = (name: string) => ['--mock', 'domain', 'verify', name, '--wait'];

test.skipIf(obstacle !== undefined).concurrent.for([40, 80, 120])(
  '--wait counts down on one temporary line on a terminal of %i columns',
  async (columns, { expect }) => {
    const terminal = atTerminal(line('missing.example.test'), { columns });
    await terminal.sees(DRAWN);
    await terminal.sees(DRAWN);
    terminal.type('\u0003');
    const { exitCode, shown } = await terminal.finished;
    expect(exitCode).toBe(130);
    for (const drawn of shown.split('\r\u001b[K').slice(1)) {
      const text = withoutEscapes(drawn).split('\n')[0] ?? '';
      if (isDrawn(text)) expect(text.length).toBeLessThan(columns);
    }
    // The permanent lines.
    const kept = shown.split('\n').map((text) => text.split('\r\u001b[K').at(-1) ?? '');
    expect(kept.filter(isDrawn)).toEqual([]);
    expect(kept.join(' ').replaceAll(/\s+/g, ' ')).toContain(
      'To resume, run: petstore --mock domain verify missing.example.test',
    );
  },
);
