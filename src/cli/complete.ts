import type { ArgumentNode, CommandNode, CommandTree, FlagNode } from './command-tree.js';
import type { ValueKind } from './command-values.js';

/** Something that may stand at the cursor. */
export interface Candidate {
  value: string;
  /** One line; may be empty. */
  summary: string;
}

/** What a shell is told: words, or that it should offer files. */
export type Completion = readonly Candidate[] | 'files';

/** What is looked up only when it may be offered. */
export interface Sources {
  profiles(): Promise<readonly string[]>;
  /** Animals that were shown lately. */
  pets(): Promise<readonly Candidate[]>;
  /** Of the project file. */
  domains(): Promise<readonly string[]>;
}

/**
 * Finds what may stand at the cursor.
 *
 * @param before the words between the program's name and the cursor's word.
 * @param current the cursor's word up to the cursor; empty where it has not begun.
 */
export async function complete(
  tree: CommandTree,
  before: readonly string[],
  current: string,
  sources: Sources,
): Promise<Completion> {
  const line = readLine(tree, before);
  if (line.flag !== undefined) return valuesOf(line.flag.values, current, '', sources);
  if (!line.isOnlyWords && current.startsWith('-')) {
    const [, long, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
    if (long === undefined || value === undefined) return flags(tree, line, current);
    const flag = flagNamed(tree, line.node, long);
    return valuesOf(flag?.values, value, `${long}=`, sources);
  }
  const children = childrenOf(tree, line.words);
  if (children.length > 0) {
    // After a word that is no command nothing is known.
    if (line.arguments > 0) return [];
    return startingWith(
      children.map(({ words, summary }) => ({ value: words.at(-1) ?? '', summary })),
      current,
    );
  }
  // `--json` takes a list of fields or none: it may be meant for the flag, and can be nothing else here.
  const last = flagNamed(tree, line.node, before.at(-1) ?? '');
  const values = last?.optional === true ? last.values : argumentAt(line.node, line.arguments)?.values;
  return valuesOf(values, current, '', sources);
}

/** A line as far as the cursor. */
interface Line {
  /** The words of the command. */
  words: readonly string[];
  node: CommandNode | undefined;
  /** How many arguments of the command are there. */
  arguments: number;
  /** The flag whose value stands at the cursor. */
  flag: FlagNode | undefined;
  /** Flags that have been given. */
  given: ReadonlySet<string>;
  /** After `--`. */
  isOnlyWords: boolean;
}

function readLine(tree: CommandTree, before: readonly string[]): Line {
  let node: CommandNode | undefined;
  let flag: FlagNode | undefined;
  let words: readonly string[] = [];
  let count = 0;
  let isOnlyWords = false;
  const given = new Set<string>();
  for (const word of before) {
    if (flag !== undefined) flag = undefined;
    else if (isOnlyWords) count += 1;
    else if (word === '--') isOnlyWords = true;
    else if (word.startsWith('-') && word !== '-') {
      const found = flagNamed(tree, node, word.replace(/=.*$/s, ''));
      if (found === undefined) continue;
      given.add(found.long);
      const takesNext = found.placeholder !== undefined && found.optional !== true && !word.includes('=');
      flag = takesNext ? found : undefined;
    } else {
      const child = childrenOf(tree, words).find((one) => one.words.at(-1) === word);
      if (child === undefined) count += 1;
      else ({ words } = node = child);
    }
  }
  return { words, node, arguments: count, flag, given, isOnlyWords };
}

function childrenOf(tree: CommandTree, words: readonly string[]): CommandNode[] {
  return tree.commands.filter(
    (one) => one.words.length === words.length + 1 && words.every((word, at) => one.words[at] === word),
  );
}

function flagNamed(tree: CommandTree, node: CommandNode | undefined, name: string): FlagNode | undefined {
  return [...(node?.flags ?? []), ...tree.globalFlags].find(
    ({ long, short }) => long === name || short === name,
  );
}

/** Those of the command come first. */
function flags(tree: CommandTree, { node, given }: Line, current: string): readonly Candidate[] {
  const known = [...(node?.flags ?? []), ...tree.globalFlags];
  const left = known.filter(({ long, summary }) => !given.has(long) || summary.includes('repeatable'));
  return startingWith(
    left.map(({ long, summary }) => ({ value: long, summary })),
    current,
  );
}

function argumentAt(node: CommandNode | undefined, at: number): ArgumentNode | undefined {
  const last = node?.arguments.at(-1);
  return node?.arguments[at] ?? (last?.variadic === true ? last : undefined);
}

async function valuesOf(
  kind: ValueKind | undefined,
  current: string,
  prefix: string,
  sources: Sources,
): Promise<Completion> {
  if (kind === 'file') return 'files';
  const candidates =
    kind === undefined ? [] : startingWith(await candidatesOf(kind, current, sources), current);
  return candidates.map(({ value, summary }) => ({ value: prefix + value, summary }));
}

async function candidatesOf(
  kind: Exclude<ValueKind, 'file'>,
  current: string,
  sources: Sources,
): Promise<readonly Candidate[]> {
  if (kind === 'pet-id') return sources.pets();
  if (kind === 'profile') return plain(await sources.profiles());
  if (kind === 'domain') return plain(await sources.domains());
  if (!('fields' in kind)) return plain(kind);
  if (!kind.many) return plain(kind.fields.map((field) => (current.startsWith('-') ? `-${field}` : field)));
  const chosen = current.split(',').slice(0, -1);
  return plain(
    kind.fields.filter((field) => !chosen.includes(field)).map((field) => [...chosen, field].join(',')),
  );
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, summary: '' }));
}

function startingWith(candidates: readonly Candidate[], current: string): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(current));
}
