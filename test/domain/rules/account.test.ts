import { deploy, plan } from '../../../src/domain/rules/account.js';
import { buildFacts } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

testRule(plan, [
  {
    name: 'an unknown plan is unknown, not failed',
    facts: buildFacts({ plan: undefined }),
    finds: ['plan.unknown unknown'],
  },
  {
    name: 'Free is not enough',
    facts: buildFacts({ plan: { name: 'Free', paid: false, inferred: false } }),
    finds: ['plan.required block'],
    says: ['Your plan is Free.'],
  },
  {
    name: 'an inferred plan is reported as inferred and does not block',
    facts: buildFacts({ plan: { name: 'Free', paid: false, inferred: true } }),
    finds: ['plan.required warn'],
    says: ['The rate limit of your API key indicates the plan Free.', 'Pass --plan'],
  },
  {
    name: 'an inferred plan that is enough is enough',
    facts: buildFacts({ plan: { name: 'Business', paid: true, inferred: true } }),
    finds: [],
  },
  {
    name: 'a plan that the specification does not name is unknown',
    facts: buildFacts({ plan: { name: 'Team', paid: undefined, inferred: false } }),
    finds: ['plan.unknown unknown'],
    says: ['It is unknown whether Team includes them'],
  },
]);

testRule(deploy, [
  {
    name: 'an unknown deploy',
    facts: buildFacts({ deployed: undefined }),
    finds: ['deploy.unknown unknown'],
    says: ['--deployed'],
  },
  { name: 'never deployed', facts: buildFacts({ deployed: false }), finds: ['deploy.required block'] },
]);
