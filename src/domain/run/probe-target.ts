import { addressesIn } from '../facts/classify.js';
import type { Facts, LearnedIssuer } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import type { FindServingTarget } from '../gather/alias-evidence.js';
import type { CheckContext } from '../gather/check-context.js';
import type { CheckRequest, DomainProbes, ProbeContext } from '../report/options.js';

/** The probe of the target's certificate. */
export interface TargetProbe {
  /** `undefined` if certificates are not probed. Given probes need not have this one. */
  probes: DomainProbes | undefined;
  context: ProbeContext;
}

/** Prepares the probe of the target's certificate. Makes no connection. */
export function targetProbeFor(
  { clock, signal }: CheckContext,
  { certificate, probe = {} }: CheckRequest,
  target: string,
  probes: DomainProbes | undefined,
): TargetProbe {
  const context: ProbeContext = {
    target,
    addressesOf: () => Promise.resolve({ outcome: 'unknown', addresses: [] }),
    probe,
    now: new Date(clock.now()),
    signal,
  };
  return { probes: certificate === false ? undefined : probes, context };
}

/**
 * Returns a function that finds addresses with the target's certificate. `undefined` if certificates are not probed, or
 * only at the address of `connect`.
 */
export function servingTargetFinder({ probes, context }: TargetProbe): FindServingTarget | undefined {
  if (probes?.target === undefined || context.probe.connect !== undefined) return undefined;
  return async (addresses) => {
    const found = (await probes.target?.(context, addresses)) ?? [];
    return found.filter(({ isTrusted }) => isTrusted).map(({ address }) => address);
  };
}

/** Addresses to try. One certificate is enough. */
const ADDRESSES_MAX = 2;

/**
 * Learns which authority issues for the platform, from the target's certificate. Connects only if the CAA records
 * restrict issuance, the issuer is not known, and the domain has no certificate.
 */
export async function learnIssuer(
  { probes, context }: TargetProbe,
  { caa, platform, resolvers, target }: Facts,
  probed: readonly Finding[],
): Promise<LearnedIssuer | undefined> {
  const restricts = caa.records.some(({ data }) => data.type === 'CAA' && data.tag.toLowerCase() === 'issue');
  const isServed = probed.some(({ id }) => id === 'cert.active');
  if (caa.issuer !== undefined || !restricts || isServed || probes?.target === undefined) return undefined;
  // The resolvers know the IPv6 address, which a check of an alias does not need.
  const seen = resolvers.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records]));
  const addresses = [...new Set([...platform.addresses, ...seen])];
  const found = await probes.target(context, addresses.slice(0, ADDRESSES_MAX));
  const learned = found.find(({ isTrusted }) => isTrusted);
  if (learned === undefined) return undefined;
  const { authority, caaNames, address, port } = learned;
  return { target, authority, caaNames, address, port };
}
