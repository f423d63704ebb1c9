import { caaNamesOf } from './caa-names.js';
import { certificateProblems } from './certificate-problems.js';
import { probeCertificate } from './probe-certificate.js';
import type { ProbeContext, TargetCertificate } from '../report/options.js';
import type { ProbeLimits } from '../probe/probe-time.js';

/** Reads the certificate that addresses serve for the name of the target. Leaves out those that serve none. */
export async function probeTargetCertificates(
  context: ProbeContext,
  addresses: readonly string[],
  limits: ProbeLimits,
): Promise<TargetCertificate[]> {
  const { target } = context;
  if (target === undefined) return [];
  const subject = { ...context, domain: target, addresses, verifiedAt: undefined };
  const facts = await probeCertificate(subject, limits);
  return facts.addresses.flatMap(({ address, result }) => {
    if (result.kind !== 'certificate') return [];
    const { authority } = result;
    const isTrusted = certificateProblems(result, facts.checkedAt).length === 0;
    return [{ address, port: facts.port, isTrusted, authority, caaNames: caaNamesOf(authority) }];
  });
}
