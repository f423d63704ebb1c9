import { recordLabel } from '../records/expected.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import type { DomainName } from '../name/name.js';
import { latinLookalike, scriptMixture } from '../name/scripts.js';

/**
 * `name.idn`: a name outside ASCII has two spellings, and providers want the one with `xn--`. One that mixes scripts comes
 * here only where it was given in ASCII.
 */
export function nameIdn({ domain, zone }: Facts): Finding[] {
  if (domain.unicode === domain.ascii) return [];
  const warning = warningOf(domain);
  return [
    {
      id: 'name.idn',
      axis: 'name',
      severity: warning === '' ? 'info' : 'warn',
      message: `${domain.unicode} is ${domain.ascii} in DNS.${warning}`,
      fix: {
        action: 'other',
        text: `At your DNS provider, in the zone ${zone.name}, type ${recordLabel(domain.ascii, zone.name)} as the name of the record.`,
        records: [],
      },
      evidence: [{ text: `${domain.unicode} = ${domain.ascii}` }],
    },
  ];
}

function warningOf({ unicode, ascii }: DomainName): string {
  const mixture = scriptMixture(unicode);
  const lookalike = latinLookalike(unicode);
  if (mixture === undefined && lookalike === undefined) return '';
  const what =
    mixture === undefined
      ? `"${lookalike ?? ''}" is of Cyrillic letters that look Latin`
      : `"${mixture.label}" mixes scripts (${mixture.text})`;
  return ` ${what}, so browsers may show it as ${ascii}; see that every letter is the one you mean.`;
}
