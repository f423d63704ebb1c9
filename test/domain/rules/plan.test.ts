import { plan } from '../../../src/domain/rules/plan.js';
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
    says: ['Your plan: Free.'],
  },
  {
    name: 'an inferred plan is told as inferred',
    facts: buildFacts({ plan: { name: 'Free', paid: false, inferred: true } }),
    finds: ['plan.required block'],
    says: ['Free (inferred from the rate limit)'],
  },
]);
