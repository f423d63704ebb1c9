import { type Context, variable } from '../system/context.js';
import { quoted } from '../command-line/flag-values.js';
import { readRegularFile, whyUnreadable } from '../files/regular-file.js';
import { resolvePath } from '../files/resolve-path.js';
import { UsageError } from '../errors/usage-error.js';

/** Whom to trust besides Node's own list of authorities: the text of PEM files. */
export type Authorities = string;

/**
 * Reads the file of `--ca`. What `NODE_EXTRA_CA_CERTS` names is added, because Node forgets it where a list is given.
 *
 * @returns `undefined` without `--ca`: Node then trusts whom it does.
 * @throws UsageError where the file can't be read, or holds no certificate.
 */
export async function readAuthorities(
  file: string | undefined,
  context: Pick<Context, 'currentDirectory' | 'env'>,
): Promise<Authorities | undefined> {
  if (file === undefined) return undefined;
  const own = await readCertificates('--ca', file, context);
  return [own, ...(await extraAuthorities(context))].join('\n');
}

/** Node warns of a file that it can't read, and goes on without it. */
async function extraAuthorities(context: Pick<Context, 'currentDirectory' | 'env'>): Promise<string[]> {
  const file = variable(context, 'NODE_EXTRA_CA_CERTS');
  if (file === undefined) return [];
  return readCertificates('NODE_EXTRA_CA_CERTS', file, context).then(
    (text) => [text],
    () => [],
  );
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The certificates of a file and nothing else of it: a key may stand beside them.
 *
 * @param source what names the file.
 * @returns text in PEM.
 * @throws UsageError where the file can't be read, or holds no certificate.
 */
export async function readCertificates(
  source: string,
  file: string,
  context: Pick<Context, 'currentDirectory'>,
): Promise<string> {
  const path = resolvePath(file, context);
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    throw new UsageError(
      `${source}: ${quoted(file)} can't be read (${whyUnreadable(error)})`,
      'check the path',
      error,
    );
  }
  const blocks = text.match(BLOCK);
  if (blocks === null) {
    throw new UsageError(`${source}: ${quoted(file)} holds no certificate`, 'give a file in PEM format');
  }
  // Loaded here because few commands are given a file.
  const { X509Certificate } = await import('node:crypto');
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new UsageError(
        `${source}: certificate ${String(index + 1)} of ${quoted(file)} can't be read`,
        'it may be cut: save the file anew',
        error,
      );
    }
  }
  return blocks.join('\n');
}
