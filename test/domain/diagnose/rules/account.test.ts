import { deploy, plan } from '../../../../src/domain/diagnose/rules/name-and-account.js';
import { testRule } from '../../rule-table.js';

testRule(plan, {
  'an unknown plan is unknown, not failed: plan.unknown unknown': { plan: undefined },
  'Free is not enough: plan.required block': [
    { plan: { name: 'Free', paid: false, inferred: false } },
    'Your plan is Free.',
  ],
  'an inferred plan is reported as inferred and does not block: plan.required warn': [
    { plan: { name: 'Free', paid: false, inferred: true } },
    'The rate limit of your API key indicates the plan Free.',
    'Pass --plan',
  ],
  'an inferred plan that is enough is enough: nothing': {
    plan: { name: 'Business', paid: true, inferred: true },
  },
  'a plan that the specification does not name is unknown: plan.unknown unknown': [
    { plan: { name: 'Team', paid: undefined, inferred: false } },
    'It is unknown whether Team includes them',
  ],
});

testRule(deploy, {
  'an unknown deploy: deploy.unknown unknown': [{ deployed: undefined }, '--deployed'],
  'never deployed: deploy.required block': { deployed: false },
});
