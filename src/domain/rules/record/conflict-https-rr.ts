import { distinct, evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeSeen } from '../../records/fixes.js';
import { isTargetAddress, ownRecords } from '../../views/own-records.js';
import { clipped, listed } from '../../finding/printable.js';
import type { DnsRecord } from '../../resolver/dns.js';
import { judgedServers } from '../../views/server-view.js';
import { conflictCoexist } from './conflict-coexist.js';
import { conflictOtherTypes } from './conflict-other-types.js';

/** `conflict.https-rr`: an HTTPS record (RFC 9460) that sends browsers elsewhere than A and AAAA do. */
export function conflictHttpsRr(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const strangers = distinct(judged.flatMap((server) => ownRecords(facts, server.https))).filter((record) =>
    leadsElsewhere(facts, record),
  );
  if (strangers.length === 0 || mustGoAnyway(facts)) return [];
  const texts = listed(strangers.map(({ data }) => clipped(recordText(data), 80)));
  return [
    {
      id: 'conflict.https-rr',
      axis: 'record',
      severity: 'warn',
      message: `${facts.domain.unicode} has a record that browsers may prefer to the addresses, and it leads elsewhere: ${texts}.`,
      fix: removeSeen(facts, strangers, `Remove ${texts}.`),
      evidence: judged.map((server) => evidenceOf(server.https)),
    },
  ];
}

/** Where a CNAME is or belongs, the record can't stay wherever it leads. */
function mustGoAnyway(facts: Facts): boolean {
  return [...conflictCoexist(facts), ...conflictOtherTypes(facts)].some(
    ({ severity }) => severity === 'block',
  );
}

function leadsElsewhere(facts: Facts, { data }: DnsRecord): boolean {
  if (data.type !== 'HTTPS') return false;
  const target = data.target.toLowerCase();
  // In ServiceMode the empty target is the name itself; in AliasMode it says that there is no service.
  const isOwnName = data.priority > 0 && (target === '' || target === '.' || target === facts.domain.ascii);
  if (!isOwnName && target !== facts.target) return true;
  return data.addressHints.some((address) => !isTargetAddress(facts, address));
}
