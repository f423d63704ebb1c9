import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkDomain } from '../../../src/domain/index.js';
import { createMock } from '../../../src/mock/index.js';
import { findProgram } from '../../integration/programs.js';

const DIG = findProgram('dig');
const IS_POSSIBLE = DIG !== undefined && process.platform === 'linux';

// Other systems have only 127.0.0.1, and dig is a package of its own.
test.runIf(IS_POSSIBLE)('the dig commands of a report work while the mock runs', async () => {
  const server = await createMock().listen({ dnsPort: 0 });
  const port = server.dns?.port;
  const commands = new Set<string>();
  for (const label of ['missing', 'wrong', 'blocked', 'moved', 'long-ttl']) {
    const report = await checkDomain(
      { domain: `${label}.example.test`, target: 'cname.platform.test', certificate: false },
      {
        resolvers: [`127.0.0.1:${String(port)}`],
        authoritativePort: port,
        usePublic: false,
      },
    );
    for (const { command } of report.findings.flatMap(({ evidence }) => evidence))
      if (command?.startsWith('dig ') === true) commands.add(command);
  }
  expect(commands.size).toBeGreaterThan(4);
  const env = { LD_LIBRARY_PATH: DIG?.libraryFolders.join(':') ?? '' };
  for (const command of commands) {
    const [, ...args] = command.split(' ');
    const { stdout } = await promisify(execFile)(DIG?.path ?? '', ['+tries=1', '+time=5', ...args], { env });
    expect(stdout, command).toMatch(/status: (?:NOERROR|NXDOMAIN)/);
  }
  await server.close();
});
