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
    name: 'an inferred plan is told as inferred, and blocks nothing',
    facts: buildFacts({ plan: { name: 'Free', paid: false, inferred: true } }),
    finds: ['plan.required warn'],
    says: ['By the rate limit of your API key, yours seems to be Free.', 'Tell it with --plan'],
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
    says: ['whether Team is such a plan is not known here'],
  },
]);
