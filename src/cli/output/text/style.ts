import type { ColorLevel } from './color.js';

/** The styles in use; each is a style of chalk. */
export type PaintStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Puts one style on a text. */
export type Painter = (style: PaintStyle, text: string) => string;

/** A painter for a stream. Without colours it hands texts back as they are, and chalk is not loaded. */
export async function createPainter(level: ColorLevel): Promise<Painter> {
  if (level === 0) return (_style, text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return (style, text) => chalk[style](text);
}

/** Green for available, yellow for pending, dim for sold; a status of a newer service stays plain. */
export function petStatusStyle(status: string): PaintStyle | undefined {
  if (status === 'available') return 'green';
  if (status === 'pending') return 'yellow';
  return status === 'sold' ? 'dim' : undefined;
}
