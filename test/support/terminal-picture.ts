import stringWidth from 'string-width';

const CELL = { width: 8.4, height: 20 };
const PADDING = 16;
const COLORS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  36: '#79c0ff',
  90: '#8b949e',
};

interface Style {
  color?: string | undefined;
  isBold?: boolean;
  isDim?: boolean;
}

/** Draws the output of a command on a dark terminal, as SVG. The command line is its first line. */
export function drawTerminal(command: string, output: string): string {
  const lines = [`\u001b[90m$\u001b[39m \u001b[1m${command}\u001b[22m`, ...output.trimEnd().split('\n')];
  const columns = Math.max(...lines.map((line) => stringWidth(line)));
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  const texts = lines.map((line, row) => drawLine(line, PADDING + (row + 0.75) * CELL.height));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="${escapeXml(command)}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${texts.filter((text) => text !== '').join('\n')}
</g>
</svg>
`;
}

/** Each run of one style starts at its column, because fonts differ in their widths. */
function drawLine(line: string, y: number): string {
  let style: Style = {};
  let column = 0;
  const runs: string[] = [];
  for (const [index, part] of line.split(/\u001b\[([\d;]*)m/).entries()) {
    // Odd parts are the parameters of an escape sequence.
    if (index % 2 === 1) style = styleAfter(style, part);
    else {
      // Blanks at the start and gaps between columns collapse in SVG, so each piece is placed on its own.
      for (const piece of part.split(/( {2,}|^ +)/)) {
        const width = stringWidth(piece);
        if (piece.trim() !== '') {
          const lead = piece.length - piece.trimStart().length;
          runs.push(drawRun(piece.trim(), column + lead, stringWidth(piece.trim()), y, style));
        }
        column += width;
      }
    }
  }
  return runs.join('');
}

function drawRun(text: string, column: number, width: number, y: number, style: Style): string {
  const fill = style.color === undefined ? '' : ` fill="${style.color}"`;
  const weight = style.isBold ? ' font-weight="bold"' : '';
  const opacity = style.isDim ? ' opacity="0.7"' : '';
  const x = (PADDING + column * CELL.width).toFixed(1);
  const length = (width * CELL.width).toFixed(1);
  return `<text x="${x}" y="${y.toFixed(0)}" textLength="${length}"${fill}${weight}${opacity}>${escapeXml(text)}</text>`;
}

function styleAfter(style: Style, parameters: string): Style {
  return parameters
    .split(';')
    .map(Number)
    .reduce<Style>((current, code) => {
      if (code === 0) return {};
      if (code === 1) return { ...current, isBold: true };
      if (code === 2) return { ...current, isDim: true };
      if (code === 22) return { ...current, isBold: false, isDim: false };
      if (code === 39) return { ...current, color: undefined };
      if (COLORS[code] === undefined) throw new Error(`No colour for the escape sequence ${String(code)}`);
      return { ...current, color: COLORS[code] };
    }, style);
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
