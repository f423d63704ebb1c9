import tls, { type SecureContext, type SecureContextOptions } from 'node:tls';

const { createSecureContext } = tls;

/**
 * Node parses its authorities for each context that names them, which takes 20 ms. Those of the default context are parsed
 * once. So a context with Node's authorities and others is the default one with the others.
 */
function createWithParsed({ ca, ...options }: SecureContextOptions = {}): SecureContext {
  const own = Array.isArray(ca) ? ca.filter((text) => !NODE_AUTHORITIES.has(text)) : [];
  if (!Array.isArray(ca) || ca.length - own.length !== NODE_AUTHORITIES.size)
    return createSecureContext({ ...options, ...(ca === undefined ? {} : { ca }) });
  const created = createSecureContext(options) as { context: { addCACert(text: string | Buffer): void } };
  for (const text of own) created.context.addCACert(text);
  return created;
}
const NODE_AUTHORITIES: ReadonlySet<unknown> = new Set(tls.rootCertificates);

tls.createSecureContext = createWithParsed;
