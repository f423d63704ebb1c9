/**
 * The CAA names of certificate authorities, by the organisation in their certificates. The first is the usual one. From
 * the authorities' practice statements, as the Common CA Database lists them (CAA identifiers, November 2026).
 */
const CAA_NAMES: Readonly<Record<string, readonly string[]>> = {
  'Actalis S.p.A.': ['actalis.it'],
  Amazon: ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'],
  'Asseco Data Systems S.A.': ['certum.pl', 'certum.eu'],
  'Buypass AS-983163327': ['buypass.com', 'buypass.no'],
  Certainly: ['certainly.com'],
  'COMODO CA Limited': ['sectigo.com', 'comodo.com', 'comodoca.com'],
  'DigiCert Inc': ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com'],
  'DigiCert, Inc.': ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com'],
  'Entrust, Inc.': ['entrust.net', 'affirmtrust.com'],
  'GlobalSign nv-sa': ['globalsign.com'],
  'GoDaddy.com, Inc.': ['godaddy.com', 'starfieldtech.com'],
  'Google Trust Services': ['pki.goog'],
  'Google Trust Services LLC': ['pki.goog'],
  'Hellenic Academic and Research Institutions CA': ['harica.gr'],
  IdenTrust: ['identrust.com'],
  "Let's Encrypt": ['letsencrypt.org'],
  'Microsoft Corporation': ['microsoft.com'],
  'Sectigo Limited': ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  'SSL Corp': ['ssl.com'],
  'SSL Corporation': ['ssl.com'],
  'Starfield Technologies, Inc.': ['starfieldtech.com', 'godaddy.com'],
  'SwissSign AG': ['swisssign.com'],
  ZeroSSL: ['sectigo.com', 'zerossl.com'],
};

/** The CAA names of an authority, by the organisation of its certificate. Empty for an unknown one. */
export function caaNamesOf(organisation: string): readonly string[] {
  return Object.hasOwn(CAA_NAMES, organisation) ? (CAA_NAMES[organisation] ?? []) : [];
}
