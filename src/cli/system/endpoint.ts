export interface Endpoint {
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  isTls: boolean;
}

/** The host and port of an http or https URL, with the default port of the scheme. */
export function endpointOf({ hostname, port, protocol }: URL): Endpoint {
  const isTls = protocol === 'https:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
  };
}
