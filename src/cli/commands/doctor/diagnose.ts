import type { Check } from './check.js';
import { machineChecks } from './diagnose-machine.js';
import { serviceChecks } from './diagnose-service.js';
import { setUpChecks } from './diagnose-set-up.js';
import { wayChecks } from './diagnose-way.js';
import type { DoctorFacts } from './facts.js';

/** Judges the facts: every check, in a fixed order, whatever it came to. */
export function diagnose(facts: DoctorFacts): Check[] {
  return [...setUpChecks(facts), ...machineChecks(facts), ...wayChecks(facts), ...serviceChecks(facts)];
}
