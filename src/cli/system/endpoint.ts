/** Whom to connect to. */
export interface Endpoint {
  /** A name or an address, that of IPv6 without the brackets that URLs have around it. */
  host: string;
  port: number;
  isTls: boolean;
}

/** Where an http or https URL leads: with the scheme's own port where it names none. */
export function endpointOf({ hostname, port, protocol }: URL): Endpoint {
  const isTls = protocol === 'https:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
  };
}
