import { deploy } from '../../../src/domain/rules/deploy.js';
import { buildFacts } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

testRule(deploy, [
  {
    name: 'not known',
    facts: buildFacts({ deployed: undefined }),
    finds: ['deploy.unknown unknown'],
    says: ['--deployed'],
  },
  { name: 'never deployed', facts: buildFacts({ deployed: false }), finds: ['deploy.required block'] },
]);
