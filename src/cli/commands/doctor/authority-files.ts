import type { Session } from '../../session/action.js';
import { readCertificates } from '../../network/authorities.js';
import { type Context, variable } from '../../system/context.js';
import type { AuthorityFile } from './facts.js';
import { foundOrFault } from './fault.js';

/** The files that name authorities, and what is wrong with them. */
export function lookAtAuthorities({ global, context }: Session): Promise<AuthorityFile[]> {
  const named = [
    { source: '--ca', file: global.caFile },
    { source: 'NODE_EXTRA_CA_CERTS', file: variable(context, 'NODE_EXTRA_CA_CERTS') },
  ] as const;
  return Promise.all(
    named.flatMap(({ source, file }) => (file === undefined ? [] : authorityFile({ source, file }, context))),
  );
}

async function authorityFile(
  named: Pick<AuthorityFile, 'source' | 'file'>,
  context: Context,
): Promise<AuthorityFile> {
  const found = await foundOrFault(async () => {
    const text = await readCertificates(named.source, named.file, context);
    return { certificates: text.split('-----BEGIN').length - 1 };
  });
  return { ...named, ...found };
}
