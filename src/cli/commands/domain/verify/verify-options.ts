import { choice, quoted } from '../../../command-line/flag-values.js';
import { UsageError } from '../../../errors/usage-error.js';
import {
  type DnsFlags,
  type ProbeFlags,
  readDnsFlags,
  readProbeFlags,
  readVerifiedAt,
} from '../domain-flags.js';
import { PLAN_NAMES, type PlanName } from '../../../config/config-values.js';

/** Options of `domain verify`. */
export interface VerifyOptions {
  /** As typed. Empty: those of the project file. */
  words: readonly string[];
  dns: DnsFlags;
  probe: ProbeFlags;
  plan?: PlanName;
  deployed?: boolean;
  /** The certificate authority of the platform, by its CAA name. */
  issuer?: string;
  certificate: boolean;
  /** Whether to query rare record types too. */
  thorough: boolean;
  /** Whether to compare the responses of the domain and the target. */
  probesPlatform: boolean;
  /** Time of verification, in milliseconds since the epoch. */
  verifiedAt?: number;
  wait: boolean;
  until: (typeof GOALS)[number];
  strict: boolean;
  /** `-o markdown`, which only this command has. */
  markdown?: boolean;
}

/** Goals of a check. */
export const GOALS = ['verified', 'active'] as const;
/** Formats of `-o` that only this command has. */
export const PAGE_FORMATS = ['markdown'] as const;

/** @throws UsageError if a flag is invalid or flags contradict each other. */
export function readVerifyOptions(
  words: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): VerifyOptions {
  const { plan, issuer } = flags;
  if (flags.deployed === true && flags.notDeployed === true) {
    throw new UsageError("--deployed and --not-deployed can't be combined", 'Use one of the two.');
  }
  const deployed = flags.deployed === true ? true : flags.notDeployed === true ? false : undefined;
  const until = choice('--until', GOALS, String(flags.until));
  const certificate = flags.certificate !== false;
  const verifiedAt = readVerifiedAt(flags);
  if (until === 'active' && !certificate) {
    throw new UsageError(
      "--until active and --no-certificate can't be combined",
      'Use one of the two: active requires the certificate.',
    );
  }
  return {
    words,
    dns: readDnsFlags(flags),
    probe: readProbeFlags(flags),
    ...(typeof plan === 'string' ? { plan: choice('--plan', PLAN_NAMES, plan.toLowerCase()) } : {}),
    ...(deployed === undefined ? {} : { deployed }),
    ...(typeof issuer === 'string' ? { issuer: readIssuer(issuer) } : {}),
    certificate,
    thorough: flags.thorough === true,
    probesPlatform: flags.probe === true,
    ...(verifiedAt === undefined ? {} : { verifiedAt }),
    wait: flags.wait === true,
    until,
    strict: flags.strict === true,
  };
}

function readIssuer(word: string): string {
  if (/^[\w-]+(\.[\w-]+)+$/.test(word)) return word.toLowerCase();
  throw new UsageError(
    `--issuer: ${quoted(word)} is not a CAA name of an authority`,
    'Use a name such as letsencrypt.org.',
  );
}
