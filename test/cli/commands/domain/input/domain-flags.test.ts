import { beforeEach, expect, test, vi } from 'vitest';
import { readGlobalOptions } from '../../../../../src/cli/command-line/global-options.js';
import { fakeContext, runFake } from '../../../../support/fake-context.js';

const lookup = vi.hoisted(() => vi.fn<(host: string) => Promise<{ address: string }>>());
vi.mock('node:dns/promises', async (original) => ({ ...(await original<object>()), lookup }));

beforeEach(() => {
  lookup.mockReset();
});

const PORT_HINT = 'hint: Use a value such as 127.0.0.1. Pass ports with --https-port and --http-port.\n';

test.each(
  ['verify shop.example.test', 'cert shop.example.test', 'redirects'].flatMap((command) =>
    ['127.0.0.1:38885', '[::1]:8443', '999.1.1.1', 'edge.test:443', 'a..b', '-x.test', 'fe80::1%lo'].map(
      (connect) => [command, connect],
    ),
  ),
)('domain %s --connect=%s is rejected', async (command, connect) => {
  const { exitCode, stdout, stderr } = await runFake(`domain ${command} --mock --connect=${connect}`);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `error: --connect: "${connect}" is not an address or host\n${PORT_HINT}`,
  });
});

async function connectsTo(connect: string): Promise<string | undefined> {
  const { probeOptions } = await import('../../../../../src/cli/commands/domain/input/domain-flags.js');
  return (
    await probeOptions(
      { connect, httpsPort: undefined, httpPort: undefined },
      { global: readGlobalOptions({}), context: fakeContext().context },
    )
  ).connect;
}

test.each(['127.0.0.1', '[::1]', 'edge.platform.test'])('--connect %s is not resolved', async (connect) => {
  expect(await connectsTo(connect)).toBe(connect);
  expect(lookup).not.toHaveBeenCalled();
});

test.each(['web', 'my_web', 'host.docker.internal'])(
  'this machine resolves --connect %s',
  async (connect) => {
    lookup.mockResolvedValueOnce({ address: '172.17.0.2' });
    expect(await connectsTo(connect)).toBe('172.17.0.2');
  },
);

test('a local name without an address is rejected, except localhost', async () => {
  lookup.mockRejectedValue(new Error('ENOTFOUND'));
  expect(await connectsTo('shop.localhost')).toBe('shop.localhost');
  await expect(connectsTo('web')).rejects.toMatchObject({
    message: '--connect: "web" has no address on this machine',
    hint: 'Pass its IP address, such as 127.0.0.1.',
  });
});
