// Writes tables of results as Markdown.

const HEADINGS = {
  startup: 'Start-up of the command',
  library: 'Library',
  mock: 'Mock',
  domain: 'Domain checks',
  bulk: 'Import by the library',
  import: 'Import by the command',
  'import-million': 'Import of 1,000,000 rows by the command',
  pacing: 'Pacing',
  tests: 'Tests',
};

/**
 * Renders the page of results.
 *
 * @param {{ machine: object, runs: object[] }} results
 * @param {{ row: string, title?: string, nodes?: number[], reason: string }[]} reasons why bars are missed: `missed-bars.json`.
 *   `row` is the name of the row, `title` a part of what its table says, `nodes` the major versions.
 */
export function renderResults({ machine, runs }, reasons) {
  const { processor, cores, memory, system } = machine;
  const dates = [...new Set(runs.map(({ date }) => date))].sort();
  const versions = Object.entries(Object.assign({}, ...runs.map(({ peers }) => peers))).sort();
  return [
    '# Results of the benchmarks',
    '`npm run bench -- --write` writes this page from `results/speed.json`. Absolute figures depend on the machine; ratios to a',
    'baseline of the same run depend on it less. A cell shows the median, and the ratio in parentheses.',
    '',
    `- Machine: ${cores} × ${processor}, ${memory} of memory, ${system}`,
    `- Date: ${dates.join(', ')}`,
    `- Node.js: ${nodesOf(runs).join(', ')}`,
    `- Other packages: ${versions.map(([name, version]) => `${name} ${version}`).join(', ')}`,
    '',
    '## Bars',
    '',
    barsTable(runs),
    '',
    ...missedBars(runs, reasons),
    ...Object.entries(HEADINGS).flatMap(([name, heading]) => section(runs, name, heading)),
    '',
  ].join('\n');
}

/** All rows with a bar. Rows that are judged as a group, such as the scenarios of pacing, are counted. */
function barsTable(runs) {
  const lines = [];
  const nodes = nodesOf(runs);
  for (const name of Object.keys(HEADINGS)) {
    for (const { title, rows } of titlesOf(runs, name)) {
      const withBar = rows.filter(({ bar }) => bar !== undefined);
      if (name === 'pacing' && withBar.length > 1) lines.push(countedLine(title, withBar, nodes));
      else for (const row of withBar) lines.push([row.name, title, row.bar, ...cellsOf(row, nodes)]);
    }
  }
  return table(['what', 'measured', 'bar', ...nodes.map((node) => `Node ${node}`)], lines);
}

function countedLine(title, rows, nodes) {
  const cells = nodes.map((node) => {
    const measured = rows.flatMap(({ byNode }) => byNode.get(node) ?? []);
    if (measured.length === 0) return '';
    const met = measured.filter((row) => row.met).length;
    return `${met} of ${measured.length} met${met === measured.length ? '' : ' **missed**'}`;
  });
  return [`${rows.length} scenarios`, title, rows[0].bar, ...cells];
}

function missedBars(runs, reasons) {
  const missed = runs.flatMap(({ name, node, rows }) =>
    rows.filter(({ met }) => met === false).map((row) => ({ benchmark: name, node, ...row })),
  );
  if (missed.length === 0) return ['Every bar is met.', ''];
  const lines = missed.map(({ name, title, bar, node, ...figures }) => {
    const reason = reasons.find((known) => isAbout(known, { name, title, node }))?.reason;
    return `- ${name} (${title}), Node ${node}: ${textOf(figures)}, bar ${bar}. ${reason ?? 'No reason is known.'}`;
  });
  return ['### Missed bars', '', ...lines, ''];
}

function isAbout({ row, title = '', nodes }, missed) {
  const isNode = nodes === undefined || nodes.includes(parseInt(missed.node));
  return row === missed.name && missed.title.includes(title) && isNode;
}

function section(runs, name, heading) {
  const titles = titlesOf(runs, name);
  if (titles.length === 0) return [];
  const nodes = nodesOf(runs.filter((run) => run.name === name));
  const tables = titles.flatMap(({ title, rows }) => {
    const lines = rows.map((row) => [row.name, row.bar ?? '', ...cellsOf(row, nodes)]);
    return ['', table([title, 'bar', ...nodes.map((node) => `Node ${node}`)], lines)];
  });
  return ['', `## ${heading}`, ...tables];
}

/** The rows of a benchmark by title, each with its results by Node. */
function titlesOf(runs, name) {
  const titles = new Map();
  for (const run of runs.filter((run) => run.name === name)) {
    for (const { title, name, bar, ...result } of run.rows) {
      if (!titles.has(title)) titles.set(title, new Map());
      const rows = titles.get(title);
      if (!rows.has(name)) rows.set(name, { name, bars: new Set(), byNode: new Map() });
      if (bar !== undefined) rows.get(name).bars.add(bar);
      rows.get(name).byNode.set(run.node, { bar, ...result });
    }
  }
  return [...titles].map(([title, rows]) => ({ title, rows: [...rows.values()].map(withBar) }));
}

/** Some bars depend on the Node release. */
function withBar({ bars, ...row }) {
  return { ...row, bar: bars.size === 0 ? undefined : [...bars].join(' or ') };
}

function cellsOf({ byNode }, nodes) {
  return nodes.map((node) => {
    const result = byNode.get(node);
    if (result === undefined) return '';
    return result.met === false ? `**${textOf(result)} missed**` : textOf(result);
  });
}

function textOf({ value, ratio }) {
  return ratio === undefined ? String(value) : `${value} (${ratio.toFixed(2)})`;
}

/** Versions, the lowest first. */
function nodesOf(runs) {
  return [...new Set(runs.map(({ node }) => node))].sort((a, b) => parseInt(a) - parseInt(b));
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
