import { deploy, plan } from '../../../src/domain/rules/name-and-account.js';
import { testRule } from '../rule-table.js';

testRule(plan, [
  ['an unknown plan is unknown, not failed', { plan: undefined }, 'plan.unknown unknown'],
  [
    'Free is not enough',
    { plan: { name: 'Free', paid: false, inferred: false } },
    'plan.required block',
    'Your plan is Free.',
  ],
  [
    'an inferred plan is reported as inferred and does not block',
    { plan: { name: 'Free', paid: false, inferred: true } },
    'plan.required warn',
    'The rate limit of your API key indicates the plan Free.',
    'Pass --plan',
  ],
  [
    'an inferred plan that is enough is enough',
    { plan: { name: 'Business', paid: true, inferred: true } },
    'nothing',
  ],
  [
    'a plan that the specification does not name is unknown',
    { plan: { name: 'Team', paid: undefined, inferred: false } },
    'plan.unknown unknown',
    'It is unknown whether Team includes them',
  ],
]);

testRule(deploy, [
  ['an unknown deploy', { deployed: undefined }, 'deploy.unknown unknown', '--deployed'],
  ['never deployed', { deployed: false }, 'deploy.required block'],
]);
