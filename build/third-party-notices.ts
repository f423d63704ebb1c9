import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

interface Manifest {
  name: string;
  version: string;
  license?: string;
  homepage?: string;
  repository?: string | { url: string };
}

/** Writes the name, version, source and licence text of every bundled package to a file. */
export function thirdPartyNotices(file: string): Plugin {
  return {
    name: 'third-party-notices',
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(async ({ metafile }) => {
        const notices = await Promise.all(bundledPackages(metafile).map(noticeOf));
        await mkdir(dirname(file), { recursive: true });
        await writeFile(
          file,
          `Packages that are bundled into dist/cli, and their licences.\n${notices.join('')}`,
        );
      });
    },
  };
}

/** The folders of the packages of which code is in the bundle, sorted. */
export function bundledPackages(metafile: Metafile | undefined): string[] {
  const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license = 'unknown licence', homepage, repository } = manifest;
  const source = typeof repository === 'string' ? repository : (repository?.url ?? homepage ?? '');
  const heading = `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n${source}\n\n`;
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  if (files.length === 0) return `${heading}The package contains no licence text.\n`;
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return `${heading}${texts.join('\n').trim()}\n`;
}
