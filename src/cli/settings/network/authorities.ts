import { type Context, variable } from '../../system/context.js';
import { quoted } from '../../command-line/flag-values.js';
import { readRegularFile, describeFileError } from '../../system/files/safe-file.js';
import { resolvePath } from '../../system/files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';

/**
 * Reads the file of `--ca`, and that of `NODE_EXTRA_CA_CERTS`, which Node ignores if an application has its own list.
 *
 * @returns `undefined` without `--ca`; Node then uses its own list.
 * @throws UsageError if the file can't be read or contains no certificate.
 */
export async function readAuthorities(
  file: string | undefined,
  context: Pick<Context, 'currentDirectory' | 'env'>,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const own = await readCertificates('--ca', file, context);
  return [own, ...(await extraAuthorities(context))].join('\n');
}

/** Like Node, ignores a file that can't be read. */
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
 * Reads only the certificates of a file: it may contain a private key as well.
 *
 * @param source the flag or variable that names the file.
 * @returns PEM text.
 * @throws UsageError if the file can't be read or contains no certificate.
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
      `${source}: ${quoted(file)} can't be read (${describeFileError(error)})`,
      'Check the path.',
      error,
    );
  }
  const blocks = text.match(BLOCK);
  if (blocks === null) {
    throw new UsageError(`${source}: ${quoted(file)} contains no certificate`, 'Pass a file in PEM format.');
  }
  // Loaded here, because few commands need it.
  const { X509Certificate } = await import('node:crypto');
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new UsageError(
        `${source}: certificate ${String(index + 1)} of ${quoted(file)} can't be read`,
        'It may be truncated. Save the file again.',
        error,
      );
    }
  }
  return blocks.join('\n');
}
