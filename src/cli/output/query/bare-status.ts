import { PET_STATUSES } from '../../../schema/pet-reader.js';
import { shellWord } from '../../errors/shell-word.js';

/**
 * Puts each status that a query compares with the field `status` in quotes. Without them it is the name of a field, which
 * no pet has.
 *
 * @returns the query as a word for the shell; `undefined` if nothing is to be changed.
 */
export function quoteBareStatus(query: string): string | undefined {
  const otherQuoted = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|${'`(?:[^`\\\\]|\\\\.)*`'}`;
  const equals = String.raw`\s*[=!]=\s*`;
  const name = String.raw`(?:(\bstatus${equals})|(?<![\w.$]))("?)(\w+)\2(${equals}status\b)?(?![\w.([])`;
  const corrected = query.replace(
    new RegExp(`${name}|${otherQuoted}`, 'gs'),
    (whole: string, start = '', _, found = '', end = '') => {
      const status = PET_STATUSES.find((status) => status === String(found).toLowerCase());
      return status === undefined || start === end ? whole : `${String(start)}'${status}'${String(end)}`;
    },
  );
  if (corrected === query) return undefined;
  return /["$`\\!]/.test(corrected) ? shellWord(corrected) : `"${corrected}"`;
}
