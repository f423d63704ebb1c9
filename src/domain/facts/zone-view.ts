import type { CutFacts } from './facts.js';
import type { Lookup } from './lookup.js';
import type { DnsRecord, DnsServer } from '../resolver/dns.js';

/** One zone, as found. Shared by all names in it. */
export interface ZoneView {
  name: string;
  registrable: string;
  /** The parent's answer about the registrable domain. Absent where the zone does not hang on it. */
  delegation: Lookup | undefined;
  /** Records of the registrable domain itself that the parent answers with, where it delegates nothing. */
  parentRecords: readonly Lookup[];
  parentHosts: readonly string[];
  ownHosts: readonly string[];
  /** For a zone below another one of the same registrable domain. */
  cut?: CutFacts;
  unresolvedHosts: readonly string[];
  failedHosts: readonly string[];
  servers: readonly DnsServer[];
  /** Whether no server said a word about its own zone: then names in it need not be waited for. */
  isSilent: boolean;
}

/** What a server of a zone says of where a name lies: in this zone, in one below it, or beyond a cut. */
export interface Cut {
  /** The zone responsible, this one or one below. */
  zone: string;
  /** The referral's, where there was one. */
  hosts: readonly string[];
  glue: readonly DnsRecord[];
  /** The answer that was the referral. */
  referral?: Lookup;
}
