/**
 * The CAA names of certificate authorities, by the organisation in their certificates. The first is the usual one. Only
 * authorities whose names are documented widely, because a wrong name would report a certificate as blocked.
 */
const CAA_NAMES: Readonly<Record<string, readonly string[]>> = {
  Amazon: ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'],
  'COMODO CA Limited': ['sectigo.com', 'comodo.com', 'comodoca.com'],
  'DigiCert Inc': ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com'],
  'DigiCert, Inc.': ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com'],
  'GlobalSign nv-sa': ['globalsign.com'],
  'GoDaddy.com, Inc.': ['godaddy.com', 'starfieldtech.com'],
  'Google Trust Services': ['pki.goog'],
  'Google Trust Services LLC': ['pki.goog'],
  "Let's Encrypt": ['letsencrypt.org'],
  'Sectigo Limited': ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  'SSL Corp': ['ssl.com'],
  'SSL Corporation': ['ssl.com'],
  'Starfield Technologies, Inc.': ['starfieldtech.com', 'godaddy.com'],
  ZeroSSL: ['sectigo.com', 'zerossl.com'],
};

/** The CAA names of an authority, by the organisation of its certificate. Empty for an unknown one. */
export function caaNamesOf(organisation: string): readonly string[] {
  return Object.hasOwn(CAA_NAMES, organisation) ? (CAA_NAMES[organisation] ?? []) : [];
}
