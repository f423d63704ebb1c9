import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { billOfMaterials } from './bill-of-materials.js';

interface Manifest {
  name: string;
  version: string;
  license?: string;
  homepage?: string;
  repository?: string | { url: string };
}

/**
 * Writes two files about the packages in the bundle and in the mock's page: their licences, and a list for programs
 * (CycloneDX). The list also has the packages that npm installs.
 */
export function describePackages(page: Metafile, folder: string): Plugin {
  return {
    name: 'describe-packages',
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(async ({ metafile }) => {
        const folders = bundledPackages([page, ...(metafile === undefined ? [] : [metafile])]);
        const notices = await Promise.all(folders.map(noticeOf));
        await mkdir(folder, { recursive: true });
        await writeFile(
          join(folder, 'THIRD-PARTY-NOTICES'),
          `Packages that are bundled into dist, and their licences.\n${notices.join('')}`,
        );
        await writeFile(join(folder, 'sbom.cdx.json'), `${await billOfMaterials(folders)}\n`);
      });
    },
  };
}

/** The folders of the packages of which code is in the bundle, sorted. */
function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
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
