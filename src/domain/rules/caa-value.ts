/** The value of an `issue` property. */
export interface IssueValue {
  /** The authority's domain in lower case; empty for a value that permits no authority. */
  issuer: string;
  /** Parameters such as `accounturi` and `validationmethods` (RFC 8657). */
  parameters: readonly { tag: string; value: string }[];
  /** Whether the value does not match the grammar. Then it permits no authority. */
  isMalformed: boolean;
}

const LABEL = String.raw`[a-z\d](?:-*[a-z\d])*`;
const PARAMETER = String.raw`([a-z\d]+)[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]*)`;
const ISSUE_VALUE = new RegExp(String.raw`^[ \t]*(${LABEL}(?:\.${LABEL})*)?[ \t]*(?:;(.*))?$`, 'i');
const ONE_PARAMETER = new RegExp(String.raw`^[ \t]*${PARAMETER}[ \t]*$`, 'i');

/**
 * Parses the value of an `issue` property (RFC 8659, section 4.2). A malformed value permits no authority, as an empty issuer.
 *
 * @param text As decoded, with bytes other than printable ASCII as `\DDD`.
 */
export function parseIssueValue(text: string): IssueValue {
  const value = text.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)));
  const match = ISSUE_VALUE.exec(value);
  if (match === null) return MALFORMED;
  const [, issuer = '', rest = ''] = match;
  if (/^[ \t]*$/.test(rest)) return { issuer: issuer.toLowerCase(), parameters: [], isMalformed: false };
  const found = rest.split(';').map((part) => ONE_PARAMETER.exec(part));
  if (found.some((parameter) => parameter === null)) return MALFORMED;
  const parameters = found.map((parameter) => ({
    tag: (parameter?.[1] ?? '').toLowerCase(),
    value: parameter?.[2] ?? '',
  }));
  return { issuer: issuer.toLowerCase(), parameters, isMalformed: false };
}

const MALFORMED: IssueValue = { issuer: '', parameters: [], isMalformed: true };
