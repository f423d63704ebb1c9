import { readSource } from './source-tree.js';

/** An operation of the service, as its interface specification declares it. */
export interface SpecifiedOperation {
  name: string;
  method: string;
  path: string;
  hasBody: boolean;
  /** The statuses of its responses, with that of the rate limit. */
  statuses: readonly number[];
}

const SECTION = /^### ([A-Z]+) (\/\S*) \(operation (\w+)\)[^\n]*\n(.*?)(?=^#)/gms;

/** All operations (interface specification, "Endpoints"). */
export const SPECIFIED_OPERATIONS: readonly SpecifiedOperation[] = [
  ...readSource('docs/specification.md').matchAll(SECTION),
].map(([, method = '', path = '', name = '', text = '']) => ({
  name,
  method,
  path,
  hasBody: text.includes('Request body'),
  statuses: [...text.matchAll(/^\| (\d{3}) /gm)].map(([, status]) => Number(status)).concat(429),
}));
