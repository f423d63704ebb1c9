import type { ColorLevel } from './color.js';

/** The styles in use. Each is a style of chalk. */
export type PaintStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Applies a style to a text. */
export type Painter = (style: PaintStyle, text: string) => string;

/** Creates a painter for a stream. Without colours, texts stay unchanged and chalk is not loaded. */
export async function createPainter(level: ColorLevel): Promise<Painter> {
  if (level === 0) return (_style, text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return (style, text) => chalk[style](text);
}

/** Returns the style of a pet's status. Unknown statuses have none. */
export function petStatusStyle(status: string): PaintStyle | undefined {
  if (status === 'available') return 'green';
  if (status === 'pending') return 'yellow';
  return status === 'sold' ? 'dim' : undefined;
}
