import { z } from 'zod';

/** The schema of `petstore domain verify -o json`. Strict, so that a test fails if a report has a field without description. */
const name = z.strictObject({
  input: z.string().describe('As typed.'),
  ascii: z.string().describe('A-labels, in lower case. Empty if the name is invalid.'),
  unicode: z.string().describe('U-labels.'),
});

const record = z.strictObject({
  type: z.string().describe('Such as CNAME. ALIAS: some providers call it ANAME.'),
  name: z.string().describe('The full name, without the final dot.'),
  label: z.string().describe('The name relative to the zone; @ for the zone itself.'),
  value: z.string(),
  ttl: z.int().nonnegative().optional().describe('Seconds. Absent for a record to remove.'),
});

const time = z.iso.datetime().describe('RFC 3339, in UTC.');

const evidence = z.strictObject({
  text: z.string().describe('What a server returned.'),
  command: z.string().optional().describe('A command that shows the same.'),
});

const finding = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z]+\.[a-z\d-]+$/)
    .describe('Stable, such as record.missing.'),
  axis: z.enum([
    'name',
    'plan',
    'deploy',
    'zone',
    'record',
    'propagation',
    'caa',
    'certificate',
    'redirect',
    'serving',
  ]),
  severity: z
    .enum(['block', 'wait', 'unknown', 'warn', 'info'])
    .describe('block: verification fails. wait: only time is needed. unknown: could not be checked.'),
  message: z.string().describe('For people: what was found.'),
  fix: z
    .strictObject({
      action: z.enum(['add', 'remove', 'change', 'other']),
      text: z.string().describe('For people: what to do.'),
      records: z.array(record).describe('The records to add, to remove, or to change to.'),
    })
    .optional(),
  evidence: z.array(evidence),
  entries: z
    .array(z.strictObject({ from: z.string(), to: z.string(), status: z.int() }))
    .optional()
    .describe('The redirect entries that the finding is about.'),
});

const todo = z.strictObject({
  at: z.string().describe('The DNS provider, such as GoDaddy or "the DNS provider of ns1.example.net".'),
  action: z
    .enum(['add', 'edit', 'remove'])
    .describe('edit: the record, or what it replaces, exists. remove: the right records exist.'),
  record: record.describe('As to paste.'),
  replaces: z.array(record).optional().describe('The records that it replaces, in one change.'),
});

const observed = z.strictObject({
  authoritative: z.array(
    z.strictObject({
      server: z.string().describe('Host name.'),
      address: z.string(),
      over: z.string().optional().describe('udp or tcp. Absent without a response.'),
      response: z.string().describe('Response code such as NOERROR, or the failure in words.'),
      serial: z.int().optional().describe('SOA serial.'),
      records: z.array(z.string()).describe('Such as CNAME cname.platform.test.'),
      ttl: z.int().optional().describe('Seconds.'),
    }),
  ),
  recursive: z.array(
    z.strictObject({
      resolver: z.string(),
      response: z.string(),
      records: z.array(z.string()),
      remaining: z.number().optional().describe('Seconds that it may cache a stale record or absence.'),
    }),
  ),
});

const estimate = z.strictObject({
  latest: time,
  inSeconds: z.number().describe('From the time of the check.'),
  perResolver: z.array(z.strictObject({ resolver: z.string(), remaining: z.number() })),
});

const certificate = z.strictObject({
  status: z.enum(['active', 'pending', 'overdue', 'wrong', 'none', 'unknown']),
  addresses: z.array(
    z.strictObject({
      address: z.string(),
      result: z.string().describe('ok, or the problem in words.'),
      subject: z.string().optional(),
      names: z.array(z.string()).optional(),
      issuer: z.string().optional(),
      chain: z.array(z.string()).optional().describe('Subjects from the certificate up.'),
      validFrom: time.optional(),
      validTo: time.optional(),
    }),
  ),
});

const redirect = z.strictObject({
  from: z.string(),
  to: z.string(),
  status: z.int(),
  observed: z.array(
    z.strictObject({
      url: z.string(),
      status: z.int().optional(),
      location: z.string().optional(),
      trouble: z.string().optional().describe('Why there is no response, in words.'),
    }),
  ),
});

const service = z.strictObject({
  name: z.string().describe('Such as Cloudflare.'),
  sources: z.array(z.url()).describe('URLs of the documentation.'),
  date: z.iso.date().describe('The date of the oldest source.'),
});

const provider = z.strictObject({
  dns: service
    .extend({
      alias: z
        .enum(['yes', 'limited', 'no'])
        .optional()
        .describe(
          'Whether it supports ALIAS at an apex. limited: only to its own services. Absent: not known.',
        ),
      aliasType: z.string().optional().describe('The type to choose for that, such as ANAME.'),
      steps: z
        .array(z.string())
        .describe('Steps that set the expected record, in the words of its panel. Empty: not known.'),
    })
    .optional()
    .describe('The provider of the zone, by its name servers.'),
  parking: service.optional().describe('The service that shows a page for domains without a site.'),
  cdn: service.optional().describe("The CDN or proxy that the domain's own records lead to."),
});

const site = z.strictObject({
  address: z.string(),
  status: z.int().optional().describe('HTTP status. Absent without a response.'),
  trouble: z.string().optional().describe('Why there is no response, in words.'),
  fingerprint: z.string().optional().describe('SHA-256 fingerprint of the certificate.'),
});

const platform = z.strictObject({
  result: z
    .enum(['served', 'unproved', 'unknown'])
    .describe('served: proved. unproved: nothing in common. unknown: no response.'),
  proof: z
    .union([
      z.strictObject({ by: z.literal('certificate'), fingerprint: z.string(), subject: z.string() }),
      z.strictObject({ by: z.literal('header'), name: z.string(), value: z.string() }),
    ])
    .optional()
    .describe('What the responses of the domain and of the target have in common.'),
  domain: z.array(site).describe('The responses of the domain, one for each address.'),
  target: z.array(site).describe('The responses of the target, one for each address.'),
});

const tracedQuery = z.strictObject({
  server: z.string().describe('Host name, or address if the host is not known.'),
  address: z.string().describe('IP address, or URL of a DNS over HTTPS resolver.'),
  name: z.string(),
  type: z.string(),
  transport: z.enum(['udp', 'tcp', 'https']).optional().describe('Absent without a response.'),
  rcode: z.string().describe('Response code such as NOERROR, or the failure in words.'),
  isAuthoritative: z.boolean().describe('The AA flag.'),
  elapsedMs: z.number().describe('Milliseconds, with all attempts.'),
  extendedErrors: z.array(z.strictObject({ code: z.int(), text: z.string() })).describe('RFC 8914.'),
});

export const reportSchema = z.strictObject({
  domain: name,
  kind: z.enum(['subdomain', 'apex']),
  zone: z.string().describe('The zone of the records.'),
  decidedBy: z.enum(['zone-cut', 'public-suffix', 'override']).describe('How kind and zone are known.'),
  expected: z.array(record).describe('The records that the domain needs.'),
  state: z.enum(['active', 'verified', 'propagating', 'action-required', 'invalid', 'inconclusive']),
  findings: z.array(finding),
  observed,
  estimate: estimate
    .nullable()
    .describe('When all queried resolvers have the record. null: unknown, or no resolver is stale.'),
  verifiedAt: time.optional(),
  verifiedAtSource: z
    .enum(['given', 'earlier-check', 'this-check'])
    .optional()
    .describe('How verifiedAt is known.'),
  certificate: certificate.optional(),
  redirects: z.array(redirect).optional(),
  platform: platform
    .optional()
    .describe('Whether the platform serves the domain, as responses show. Only with --probe.'),
  provider: provider.optional().describe('The services behind the domain.'),
  trace: z.array(tracedQuery).optional().describe('The DNS queries in the order of their results.'),
  todo: z.array(todo).describe('The changes of records that the findings of severity block need, in order.'),
  next: z.array(z.strictObject({ command: z.string(), when: z.string() })).describe('Commands to run next.'),
});

/** One domain has a report. Several domains have a document of reports, with the exit code. */
export const outputSchema = z.union([
  reportSchema,
  z.strictObject({
    domains: z.array(reportSchema),
    exitCode: z.union([0, 1, 2, 8, 9].map((code) => z.literal(code))),
  }),
]);
