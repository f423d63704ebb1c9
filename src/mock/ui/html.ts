import htm from 'htm';
import { h, type VNode } from 'preact';

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// Its types describe the CommonJS file; the build uses the ES module.
const { bind } = htm as unknown as { bind: (this: unknown, create: typeof h) => Template };

/** Makes elements from a template. Values become text or properties, never markup. */
export const html = bind.call(htm, h);
