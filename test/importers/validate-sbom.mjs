// Prints the errors in a bill of materials, or null.
import { readFileSync } from 'node:fs';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const errors = await validator.validate(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(errors));
