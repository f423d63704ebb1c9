import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Host, writeOut } from '../../../src/cli/startup/write-out.js';

/** A process whose stdout accepts a limited number of bytes per write, and can fail. */
function host(bytesPerWrite: number, failure?: { after: number; code: string }) {
  const written = { 1: '', 2: '', stream: '' };
  const listeners: ((error: Error) => void)[] = [];
  const failed = (code: string) => Object.assign(new Error('x'), { code });
  const fake = {
    exitCode: undefined as number | undefined,
    writeSync(descriptor: 1 | 2, bytes: Uint8Array, offset: number) {
      if (descriptor === 1 && failure !== undefined && offset >= failure.after) throw failed(failure.code);
      const part = bytes.subarray(offset, descriptor === 1 ? offset + bytesPerWrite : undefined);
      written[descriptor] += new TextDecoder().decode(part);
      return part.length;
    },
    stdout: {
      on: (_event: string, listener: (error: Error) => void) => listeners.push(listener),
      write: (bytes: Uint8Array) => (written.stream += new TextDecoder().decode(bytes)),
    },
  };
  const breakStream = (code: string) => {
    for (const listener of listeners) listener(failed(code));
  };
  // The stream has only the methods that writeOut() uses.
  return { fake: fake as typeof fake & Host, written, breakStream };
}

describe('writeOut', () => {
  test('writes everything in several parts', () => {
    const { fake, written } = host(3);
    writeOut('0123456789', fake);
    expect(written[1]).toBe('0123456789');
    expect(fake.exitCode).toBeUndefined();
  });

  test.each(['EPIPE', 'EOF'])('a closed pipe is no failure: %s', (code) => {
    const { fake, written } = host(3, { after: 3, code });
    writeOut('0123456789', fake);
    expect({ exitCode: fake.exitCode, stderr: written[2] }).toEqual({ exitCode: undefined, stderr: '' });
  });

  test('writes the rest through the stream if the pipe is full', () => {
    const { fake, written, breakStream } = host(3, { after: 6, code: 'EAGAIN' });
    writeOut('0123456789', fake);
    expect({ first: written[1], rest: written.stream }).toEqual({ first: '012345', rest: '6789' });
    breakStream('EPIPE');
    expect(fake.exitCode).toBeUndefined();
    breakStream('EIO');
    expect({ exitCode: fake.exitCode, stderr: written[2] }).toEqual({
      exitCode: 1,
      stderr: "error: The output can't be written (the disk failed)\n",
    });
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  test.each([['--version'], ['--help'], ['help formatting'], ['pets list --mock'], ['pets export --mock']])(
    'petstore %s: error on stderr and no success, exit code 1',
    (line) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, ['bin/petstore.cjs', ...line.split(' ')], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(full);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^error: The output can't be written \(the disk is full\)\n$/m),
      });
      expect(stderr).not.toContain('complete');
    },
  );
});
