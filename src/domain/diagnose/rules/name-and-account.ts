import type { Facts } from '../../gather/facts/facts.js';
import { finding, type Finding } from '../../report/finding.js';
import { clipped } from '../../names/printable.js';
import { recordLabel } from '../../advice/expected.js';
import { isWithin } from '../../gather/facts/classify.js';
import { privateSuffixOf } from '../../names/name.js';
import { decisiveServers, isRightAtDecisiveServers } from '../../gather/views/server-view.js';

const REQUIREMENT = 'Custom domains need the Pro plan or above';
const HOW_TO_PASS = 'Pass --plan, or check the plan in your dashboard.';

/**
 * Custom domains need Pro or above. An inferred plan never blocks: plans share some limits, and the API key may belong to
 * another account. DNS does not show a plan, so its source is the evidence.
 *
 * - `plan.required`: the plan is below Pro.
 * - `plan.unknown`: the plan is not known, or the service does not name it.
 */
export function plan({ plan: fact }: Facts): Finding[] {
  if (fact === undefined) {
    return [
      finding('plan.unknown', 'unknown', {
        message: `${REQUIREMENT}. Your plan is unknown.`,
        fix: HOW_TO_PASS,
        evidence: [{ text: 'Plan: not given' }],
      }),
    ];
  }
  const name = clipped(fact.name, 40);
  const source = fact.inferred ? 'inferred from the rate limit of the API key' : 'as given';
  const evidence = [{ text: `Plan: ${name}, ${source}` }];
  if (fact.paid === undefined) {
    const message = `${REQUIREMENT}. It is unknown whether ${name} includes them.`;
    return [finding('plan.unknown', 'unknown', { message, fix: HOW_TO_PASS, evidence })];
  }
  if (fact.paid) return [];
  return fact.inferred
    ? [
        finding('plan.required', 'warn', {
          message: `${REQUIREMENT}. The rate limit of your API key indicates the plan ${name}.`,
          fix: `${HOW_TO_PASS} If it is ${name}, upgrade it there, then verify again.`,
          evidence,
        }),
      ]
    : [
        finding('plan.required', 'block', {
          message: `${REQUIREMENT}. Your plan is ${name}.`,
          fix: 'In the dashboard, upgrade the plan, then verify again.',
          evidence,
        }),
      ];
}

/**
 * A custom domain needs a project with a successful deploy.
 *
 * - `deploy.required`: the project has none.
 * - `deploy.unknown`: it is not known whether the project has one.
 */
export function deploy({ deployed }: Facts): Finding[] {
  if (deployed === true) return [];
  return deployed === undefined
    ? [
        finding('deploy.unknown', 'unknown', {
          message: 'Custom domains need a successful deploy. It is unknown whether the project has one.',
          fix: 'Pass --deployed or --not-deployed, or check your dashboard.',
          evidence: [{ text: 'Deploy: not given' }],
        }),
      ]
    : [
        finding('deploy.required', 'block', {
          message: 'The project has no successful deploy, so there is nothing to serve yet.',
          fix: 'Deploy the project, then verify again.',
          evidence: [{ text: 'Deploy: not successful, as given' }],
        }),
      ];
}

/** `name.idn`: an internationalised name has two spellings, and DNS providers want the one with `xn--`. */
export function nameIdn({ domain, zone }: Facts): Finding[] {
  if (domain.unicode === domain.ascii) return [];
  return [
    finding('name.idn', 'info', {
      message: `${domain.unicode} is ${domain.ascii} in DNS.`,
      fix: `At your DNS provider, in the zone ${zone.name}, enter ${recordLabel(domain.ascii, zone.name)} as the name of the record.`,
      evidence: [{ text: `${domain.unicode} = ${domain.ascii}` }],
    }),
  ];
}

/**
 * `name.public-suffix`: a name below a private suffix, such as github.io, that has no zone of its own. Only the owner of the
 * suffix can add its record.
 */
export function namePrivateSuffix(facts: Facts): Finding[] {
  const { domain, zone } = facts;
  const suffix = privateSuffixOf(domain.ascii);
  if (suffix === undefined || !isWithin(suffix, zone.name)) return [];
  const place =
    suffix === domain.ascii ? `The owner of ${suffix}` : `${domain.unicode} is below ${suffix}. Its owner`;
  const isRight = isRightAtDecisiveServers(facts);
  const severity = isRight ? 'info' : decisiveServers(facts).length > 0 ? 'block' : 'warn';
  return [
    finding('name.public-suffix', severity, {
      message: `${place} gives names below it to customers. Only the owner can change its zone, ${zone.name}.`,
      fix: [
        'Use a domain that you registered.',
        `If you own ${suffix}, set the record in the zone ${zone.name}.`,
      ],
      evidence: [{ text: `${suffix}: in the private part of the public suffix list` }],
    }),
  ];
}
