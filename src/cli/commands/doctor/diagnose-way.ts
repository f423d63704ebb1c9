import type { Check } from './check.js';
import type { DoctorFacts, ResolverAnswer } from './facts.js';
import { failed, isFault, isNotAsked } from './fault.js';

/** Judges what leads to the service: the proxy, whom to trust, the resolvers. */
export function wayChecks(facts: DoctorFacts): Check[] {
  return [proxy(facts), authorities(facts), resolvers(facts)];
}

function proxy({ proxy: fact }: DoctorFacts): Check {
  const id = 'proxy';
  if (fact === 'none') return { id, state: 'ok', finding: 'none is used' };
  if (isNotAsked(fact)) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact)) return failed(id, fact, 'petstore help environment');
  if ('because' in fact) {
    const why =
      fact.because === 'loopback'
        ? 'the base URL is of this machine'
        : `${fact.because.variable} has ${JSON.stringify(fact.because.entry)}`;
    return { id, state: 'ok', finding: `that of ${fact.from} is not used: ${why}`, details: fact };
  }
  const login = fact.hasLogin ? ' with a login' : '';
  return { id, state: 'ok', finding: `${fact.address}${login}, from ${fact.from}`, details: fact };
}

function authorities({ authorities: files }: DoctorFacts): Check {
  const id = 'authorities';
  if (files.length === 0) return { id, state: 'ok', finding: 'those that Node trusts' };
  const details = {
    files: files.map((file) => ({
      source: file.source,
      file: file.file,
      certificates: 'certificates' in file ? file.certificates : null,
    })),
  };
  const faults = files.filter((file) => isFault(file));
  const [first] = faults;
  if (first === undefined) {
    const more = files.map(({ source, file }) => `those of ${file} (${source})`).join(' and ');
    return { id, state: 'ok', finding: `those that Node trusts, and ${more}`, details };
  }
  // Of --ca every command makes an error; Node goes on without the other.
  const state = faults.some(({ source }) => source === '--ca') ? 'failed' : 'warn';
  const finding = faults.map(({ fault }) => fault).join('; ');
  const remedy = faults
    .map(
      ({ source, hint = 'check the file' }) =>
        `${hint}, or ${source === '--ca' ? 'leave out --ca' : `unset ${source}`}`,
    )
    .join('; ');
  return { id, state, finding, remedy, details };
}

/** What a resolver says that was there, and knows of no address. */
const KNOWS_NONE = new Set(['ENOTFOUND', 'ENODATA']);

function resolvers({ resolvers: { servers, asked } }: DoctorFacts): Check {
  const id = 'resolvers';
  if (servers.length === 0) {
    const remedy = 'name one to the domain commands with --resolver, such as --resolver 9.9.9.9';
    return { id, state: 'warn', finding: 'this machine names none', remedy };
  }
  if (isNotAsked(asked)) {
    const details = { servers, host: null, answers: null };
    return { id, state: 'ok', finding: `${servers.join(', ')}; not asked: ${asked.notAsked}`, details };
  }
  const { name, answers } = asked;
  const details = { servers, host: name, answers };
  const finding = answers.map((answer) => said(answer, name)).join('; ');
  const silent = answers.filter((answer) => 'code' in answer && !KNOWS_NONE.has(answer.code));
  if (silent.length === 0) return { id, state: 'ok', finding, details };
  const remedy = `take ${silent.map(({ resolver }) => resolver).join(' and ')} out of the network settings (on Linux /etc/resolv.conf), or see to it that it answers`;
  return { id, state: 'warn', finding, remedy, details };
}

function said(answer: ResolverAnswer, name: string): string {
  if ('addresses' in answer) return `${answer.resolver} has ${name} at ${answer.addresses.join(', ')}`;
  if (KNOWS_NONE.has(answer.code)) return `${answer.resolver} knows no address of ${name}`;
  return `${answer.resolver} does not answer for ${name} (${answer.code})`;
}
