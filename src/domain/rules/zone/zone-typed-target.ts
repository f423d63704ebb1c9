import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToExpectedRecord, expectedText } from '../../records/fixes.js';
import { digCommand, serverText } from '../../views/evidence.js';
import { serverListText } from './zone-lame-ns.js';

/**
 * `conflict.other-types`, `zone.lame-ns`: the target was entered as a name server, in the zone with type NS instead of
 * CNAME, or at the registrar.
 */
export function zoneTypedTarget(facts: Facts): Finding[] {
  return [...typedInZone(facts), ...typedAtParent(facts)];
}

function typedInZone(facts: Facts): Finding[] {
  const { domain, target, zone } = facts;
  const { typedNs } = zone;
  if (typedNs === undefined) return [];
  return [
    {
      id: 'conflict.other-types',
      axis: 'record',
      severity: 'block',
      message: `${domain.unicode} has the record NS ${target}, which makes the target a name server. The type must be CNAME.`,
      fix: changeToExpectedRecord(
        facts,
        `Change the type of the record from NS to CNAME: ${expectedText(facts)}. If the type can't be changed, remove the NS record first.`,
      ),
      evidence: [
        {
          text: `${serverText(typedNs.server)}: NS ${target}`,
          command: digCommand(typedNs.server, domain.ascii, 'NS'),
        },
      ],
    },
  ];
}

function typedAtParent(facts: Facts): Finding[] {
  const { target, zone } = facts;
  const { name, parentHosts, cut, delegation } = zone;
  if (!parentHosts.includes(target)) return [];
  const server = (cut?.referral ?? delegation)?.server;
  return [
    {
      id: 'zone.lame-ns',
      axis: 'zone',
      severity: 'block',
      message: `The target ${target} is entered as a name server of ${name}. It is the value of a record, not a name server.`,
      fix: {
        action: 'other',
        text: `Remove ${target} from the list of name servers ${serverListText(zone)}, and keep those of your DNS provider. There, set ${expectedText(facts)}.`,
        records: [],
      },
      evidence: [
        {
          text: `Name servers of ${name}: ${parentHosts.join(', ')}`,
          command: digCommand(server, name, 'NS', server?.host === undefined),
        },
      ],
    },
  ];
}
