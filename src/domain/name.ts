/** A domain name in its two spellings. */
export interface DomainName {
  /** As it was typed. */
  input: string;
  /** A-labels, lower case, without the final dot: what is typed at a DNS provider. */
  ascii: string;
  /** U-labels: what people read. */
  unicode: string;
}
