import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { mixedScriptLabel } from '../scripts.js';

/** `name.idn`: a name outside ASCII has two spellings, and providers want the one with `xn--`. */
export function nameIdn({ domain }: Facts): Finding[] {
  if (domain.unicode === domain.ascii) return [];
  const mixed = mixedScriptLabel(domain.unicode);
  const warning =
    mixed === undefined
      ? ''
      : ` "${mixed}" mixes letters that look alike in different scripts, so browsers may show it as ${domain.ascii}; see that every letter is the one you mean.`;
  return [
    {
      id: 'name.idn',
      axis: 'name',
      severity: mixed === undefined ? 'info' : 'warn',
      message: `${domain.unicode} is ${domain.ascii} in DNS.${warning}`,
      fix: { action: 'other', text: `At your DNS provider, type ${domain.ascii}.`, records: [] },
      evidence: [{ text: `${domain.unicode} = ${domain.ascii}` }],
    },
  ];
}
