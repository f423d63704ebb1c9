import type {
  ArgumentNode,
  CommandNode,
  CommandTree,
  FlagNode,
  ValueKind,
} from '../../command-line/command-tree.js';

/** The shells that completion supports. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** Finds a supported shell by its name or its program, such as `pwsh`. */
export function shellNamed(name: string): Shell | undefined {
  return name === 'pwsh' ? 'powershell' : SHELLS.find((shell) => shell === name);
}

export function isShell(word: string | undefined): word is Shell {
  return SHELLS.some((shell) => shell === word);
}

/** A word that can be inserted at the cursor. */
export interface Candidate {
  value: string;
  /** One line; may be empty. */
  summary: string;
}

/** The result for a shell: words, or `'files'` to let the shell complete file names. */
export type Completion = readonly Candidate[] | 'files';

/** Values that are read only when they can be offered. */
export interface Sources {
  profiles(): Promise<readonly string[]>;
  /** Pets that were shown recently. */
  pets(): Promise<readonly Candidate[]>;
  /** Domains, or hosts of redirect entries, of the project file. */
  hosts(kind: 'domain' | 'redirect'): Promise<readonly string[]>;
}

/**
 * Returns the candidates for the word at the cursor.
 *
 * @param before the words between the program's name and that word.
 * @param current the word up to the cursor; empty for a new word.
 */
export async function complete(
  tree: CommandTree,
  before: readonly string[],
  current: string,
  sources: Sources,
): Promise<Completion> {
  const line = parseLine(tree, before);
  const lineSources: LineSources = {
    ...sources,
    async hosts(kind) {
      if (!line.usedFlags.has('--mock')) return plain(await sources.hosts(kind));
      return tree.mockDomains.filter(({ isRedirect }) => kind === 'domain' || isRedirect);
    },
    fields: () => [],
  };
  const valuesFor = (flag: FlagNode | undefined, word: string, prefix: string): Promise<Completion> => {
    const ownFormats = flag?.long === '--output' ? line.node?.formats : undefined;
    const kind = ownFormats ?? flag?.values;
    const chosen = word.split(',').slice(0, -1);
    const isList = flag?.placeholder?.includes(',') === true && Array.isArray(kind);
    return valuesOf(isList ? partsAfter(chosen, kind) : kind, word, prefix, {
      ...lineSources,
      fields: () => fieldsFor(flag, line),
    });
  };
  if (line.flag !== undefined) return valuesFor(line.flag, current, '');
  if (!line.hasEndOfOptions && current.startsWith('-')) {
    const [, long, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
    if (long === undefined || value === undefined) return flags(tree, line, current);
    const flag = flagNamed(tree, line.node, long);
    return valuesFor(flag, value, `${long}=`);
  }
  const children = childrenOf(tree, line.words);
  if (children.length > 0) {
    // Nothing is known after an unknown command.
    if (line.arguments.length > 0) return [];
    return startingWith(
      children.map(({ words, summary }) => ({ value: words.at(-1) ?? '', summary })),
      current,
    );
  }
  // The value of `--json` is optional: the word can only be its list of fields.
  const last = flagNamed(tree, line.node, before.at(-1) ?? '');
  if (last?.optional === true) return valuesFor(last, current, '');
  const { values } = argumentAt(line.node, line.arguments.length) ?? {};
  // A setting has the values of the global flag of its name.
  const kind =
    values === 'setting-value' ? flagNamed(tree, undefined, `--${line.arguments[0] ?? ''}`)?.values : values;
  return valuesOf(kind, current, '', lineSources);
}

/** The line before the cursor. */
type Line = ReturnType<typeof parseLine>;

function parseLine(tree: CommandTree, before: readonly string[]) {
  let node: CommandNode | undefined;
  let flag: FlagNode | undefined;
  let words: readonly string[] = [];
  const args: string[] = [];
  let format: string | undefined;
  let hasEndOfOptions = false;
  const usedFlags = new Set<string>();
  for (const word of before) {
    if (flag !== undefined) {
      if (flag.long === '--output') format = word;
      flag = undefined;
    } else if (hasEndOfOptions) args.push(word);
    else if (word === '--') hasEndOfOptions = true;
    else if (word.startsWith('-') && word !== '-') {
      const found = flagNamed(tree, node, word.replace(/=.*$/s, ''));
      if (found === undefined) continue;
      usedFlags.add(found.long);
      const needsValue = found.placeholder !== undefined && found.optional !== true && !word.includes('=');
      flag = needsValue ? found : undefined;
      if (found.long === '--output') format = /=(.*)$/s.exec(word)?.[1];
    } else {
      const child = childrenOf(tree, words).find(
        (node) => node.words.at(-1) === word || node.aliases?.includes(word) === true,
      );
      if (child === undefined) args.push(word);
      else ({ words } = node = child);
    }
  }
  return {
    words,
    node,
    arguments: args,
    usedFlags,
    format,
    hasEndOfOptions,
    /** The flag whose value is at the cursor. */
    flag,
  };
}

function childrenOf(tree: CommandTree, words: readonly string[]): CommandNode[] {
  return tree.commands.filter(
    (node) =>
      node.words.length === words.length + 1 && words.every((word, index) => node.words[index] === word),
  );
}

function flagNamed(tree: CommandTree, node: CommandNode | undefined, name: string): FlagNode | undefined {
  return [...(node?.flags ?? []), ...tree.globalFlags].find(
    ({ long, short, aliases }) => long === name || short === name || aliases?.includes(name) === true,
  );
}

/** Offers the flags of the command before the global flags. */
function flags(tree: CommandTree, { node, usedFlags }: Line, current: string): readonly Candidate[] {
  const known = [...(node?.flags ?? []), ...tree.globalFlags];
  const offered = known.filter(({ long, repeatable }) => !usedFlags.has(long) || repeatable === true);
  return startingWith(
    offered.map(({ long, summary }) => ({ value: long, summary })),
    current,
  );
}

function argumentAt(node: CommandNode | undefined, index: number): ArgumentNode | undefined {
  const last = node?.arguments.at(-1);
  return node?.arguments[index] ?? (last?.variadic === true ? last : undefined);
}

/** Returns the fields for the format on the line. Without one, the output has rows. */
function fieldsFor(flag: FlagNode | undefined, { node, usedFlags, format }: Line): readonly string[] {
  if (node?.fields === undefined) return [];
  const { rows, document, lines = document } = node.fields;
  if (flag?.long === '--json' || usedFlags.has('--json') || format === 'json' || format === 'yaml')
    return document;
  return format === 'ndjson' ? lines : rows;
}

interface LineSources extends Omit<Sources, 'hosts'> {
  hosts(kind: 'domain' | 'redirect'): Promise<readonly Candidate[]>;
  fields(): readonly string[];
}

async function valuesOf(
  kind: ValueKind | undefined,
  current: string,
  prefix: string,
  sources: LineSources,
): Promise<Completion> {
  if (kind === 'file') return 'files';
  const candidates =
    kind === undefined ? [] : startingWith(await candidatesOf(kind, current, sources), current);
  return candidates.map(({ value, summary }) => ({ value: prefix + value, summary }));
}

async function candidatesOf(
  kind: Exclude<ValueKind, 'file'>,
  current: string,
  sources: LineSources,
): Promise<readonly Candidate[]> {
  if (kind === 'pet-id') return sources.pets();
  if (kind === 'profile') return plain(await sources.profiles());
  if (kind === 'domain' || kind === 'redirect') return sources.hosts(kind);
  if (kind !== 'field' && kind !== 'fields') return kind === 'setting-value' ? [] : plain(kind);
  const fields = sources.fields();
  if (kind === 'field') return plain(fields.map((field) => (current.startsWith('-') ? `-${field}` : field)));
  return plain(partsAfter(current.split(',').slice(0, -1), fields));
}

/** Returns the lists that add one more word to the chosen ones. */
function partsAfter(chosen: readonly string[], words: readonly string[]): string[] {
  return words.filter((word) => !chosen.includes(word)).map((word) => [...chosen, word].join(','));
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, summary: '' }));
}

function startingWith(candidates: readonly Candidate[], current: string): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(current));
}
