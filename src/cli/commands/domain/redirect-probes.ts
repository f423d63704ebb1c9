import { createProbes, type DomainProbes, type Finding, type RedirectEntry } from '../../../domain/index.js';
import { asciiOf } from './names.js';
import type { DomainProject } from './project.js';

/** Probes that judge entries among all of the project's, and look on the wire at no others than those asked for. */
export function projectProbes(
  project: Pick<DomainProject, 'domains' | 'redirects'>,
  attached: readonly string[] | undefined,
): DomainProbes {
  const probes = createProbes({ attached });
  return {
    certificate: (subject) => probes.certificate(subject),
    async redirects(entries, subject) {
      /** By themselves: with nowhere to look, nothing is connected to, and all that is unknown is the wire. */
      const judge = async (judged: readonly RedirectEntry[]): Promise<readonly Finding[]> => {
        const nowhere = { ...subject, addresses: [], addressesOf: () => Promise.resolve([]), probe: {} };
        const { findings } = await probes.redirects(judged, nowhere);
        return findings.filter(({ severity }) => severity !== 'unknown');
      };
      const others = project.redirects.filter((entry) => !entries.includes(entry));
      if (others.length === 0) return probes.redirects(entries, subject);
      // What is told once of several entries is told of the first.
      const all = await judge([...entries, ...others]);
      const askable = entries.filter((entry) => !leadsInCircle(entry, project.redirects));
      const [seen, ofAskable] = await Promise.all([probes.redirects(askable, subject), judge(askable)]);
      const wire = seen.findings.filter((finding) => !ofAskable.some((known) => isSame(known, finding)));
      return {
        report: entries.map((entry) => seen.report[askable.indexOf(entry)] ?? { ...entry, observed: [] }),
        findings: [...all.filter((finding) => isOf(finding, entries)), ...wire],
      };
    },
  };
}

/** Whether it tells of one of the entries. Messages begin with the hosts, in ASCII, and long ones are cut. */
function isOf({ message }: Finding, entries: readonly RedirectEntry[]): boolean {
  const [from = ''] = message.split(' → ');
  return entries.some((entry) => asciiOf(entry.from)?.startsWith(from.replace(/…$/, '')) === true);
}

function isSame(one: Finding, other: Finding): boolean {
  return one.id === other.id && one.message === other.message;
}

function leadsInCircle({ from }: RedirectEntry, entries: readonly RedirectEntry[]): boolean {
  const seen = new Set<string>();
  let host = asciiOf(from);
  while (host !== undefined && !seen.has(host)) {
    seen.add(host);
    const at = host;
    const next = entries.find((entry) => asciiOf(entry.from) === at);
    host = next === undefined ? undefined : asciiOf(next.to);
  }
  return host !== undefined;
}
