import { recordLabel } from '../records/expected.js';
import type { Facts } from '../facts/facts.js';
import { finding, type Finding } from '../finding/finding.js';
import type { DomainName } from '../name/name.js';
import { latinLookalike, scriptMixture } from '../name/scripts.js';

/**
 * `name.idn`: an internationalised name has two spellings, and DNS providers want the one with `xn--`. A name with
 * mixed scripts is accepted only in ASCII.
 */
export function nameIdn({ domain, zone }: Facts): Finding[] {
  if (domain.unicode === domain.ascii) return [];
  const warning = warningOf(domain);
  return finding('name.idn', warning === '' ? 'info' : 'warn', {
    message: `${domain.unicode} is ${domain.ascii} in DNS.${warning}`,
    fix: `At your DNS provider, in the zone ${zone.name}, enter ${recordLabel(domain.ascii, zone.name)} as the name of the record.`,
    evidence: [{ text: `${domain.unicode} = ${domain.ascii}` }],
  });
}

function warningOf({ unicode, ascii }: DomainName): string {
  const mixture = scriptMixture(unicode);
  const lookalike = latinLookalike(unicode);
  if (mixture === undefined && lookalike === undefined) return '';
  const reason =
    mixture === undefined
      ? `"${lookalike ?? ''}" consists of Cyrillic letters that look Latin`
      : `"${mixture.label}" mixes scripts (${mixture.text})`;
  return ` ${reason}, so browsers may show it as ${ascii}. Check that every letter is the intended one.`;
}
