import { checkArgument } from '../../options/check-argument.js';
import { mustBeText } from '../../options/check-options.js';
import { type DomainName, readDomainName } from '../names/name.js';
import { finding, type Finding } from '../report/finding.js';

/**
 * A domain name, or the reason why the input is invalid.
 *
 * - `name.invalid`: the input is no host name that can be a custom domain.
 * - `name.ip`: the input is an IP address.
 * - `name.public-suffix`: the input is a public suffix, such as `co.uk`.
 * - `name.wildcard`: the input is a wildcard, such as `*.example.com`.
 */
export type ParsedDomainName =
  | { ok: true; name: DomainName }
  /**
   * `problem`: the message of the finding without its full stop, for a text that continues. `suggestion`: the name that was
   * probably meant, if the input contains one.
   */
  | { ok: false; finding: Finding; problem: string; suggestion?: string };

/**
 * Parses a domain name as people enter it. Makes no query. Rejects a URL or an e-mail address, with the name in it as
 * suggestion.
 *
 * @throws InvalidInputError if the input is not a string.
 * @example
 * const parsed = parseDomainName('müller.example');
 * if (parsed.ok) console.log(parsed.name.ascii); // xn--mller-kva.example
 */
export function parseDomainName(input: string): ParsedDomainName {
  checkArgument(input, 'name', mustBeText);
  const read = readDomainName(input);
  if ('ascii' in read) return { ok: true, name: read };
  const { id, text, entered, suggestion } = read;
  const problem = input.trim() === '' ? `The domain name ${text}` : `"${entered}" ${text}`;
  const found = finding(id, 'block', {
    message: `${problem}.`,
    fix: suggestion === undefined ? REMEDY : `Did you mean "${suggestion}"?`,
    evidence: [{ text: `input: ${entered}` }],
  });
  return { ok: false, finding: found, problem, ...(suggestion !== undefined && { suggestion }) };
}

const REMEDY = 'Enter the name of a host that you own, such as shop.example.com.';
