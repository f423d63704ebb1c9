import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Scripted, runFake } from '../support/fake-context.js';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { drawTerminal } from '../support/terminal-picture.js';

const NAMES = ['Rex', 'Mia', 'Bello', 'Luna', 'Simba', 'Nala'];

/** `vitest run --update` draws them again. */
test.each([
  ['pets-list', 'pets list --limit 6', '--mock'],
  ['domain-verify', 'domain verify blocked.example.test', '--mock'],
])('the picture %s shows the current output', async (name, line, flags) => {
  const { stdout } = await runFake(`${flags} ${line} --color always`, { terminals: ['stdout'], columns: 80 });
  await expectPicture(name, `petstore ${line} ${flags}`, stdout);
});

test('the picture import shows the current output', async () => {
  const rows = NAMES.map((name, index) => `${name},${index === 2 ? '99' : '7'}\n`).join('');
  const folder = temporaryFolder({ 'delivery.csv': `name,categoryId\n${rows}` });
  const created = NAMES.map((name, index): Scripted =>
    index === 2
      ? { status: 400, body: '{"code":"invalid","message":"no such category"}' }
      : { status: 201, body: `{"id":${String(index + 26)},"name":"${name}","categoryId":7}` },
  );
  const { stdout, stderr, exitCode } = await runFake('pets import delivery.csv --color always', {
    currentDirectory: folder,
    responses: created,
    terminals: ['stdout'],
    columns: 80,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
  // The first line is written before the first request, the others after the summary.
  const [announcement = '', ...notes] = stderr.split('\n');
  await expectPicture(
    'import',
    'petstore pets import delivery.csv',
    `${announcement}\n${stdout}${notes.join('\n')}`,
  );
});

async function expectPicture(name: string, command: string, output: string): Promise<void> {
  await expect(drawTerminal(command, output)).toMatchFileSnapshot(join(ROOT, `docs/pictures/${name}.svg`));
}
