import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCollector } from '../../../src/client/transport/collect.js';

test('a collector keeps the first bytes up to its cap, and says when there were more', () => {
  const chunk = fc.uint8Array({ maxLength: 8 });
  fc.assert(
    fc.property(fc.array(chunk), fc.integer({ min: 0, max: 40 }), (chunks, cap) => {
      const collector = createCollector(cap);
      for (const each of chunks) if (!collector.add(each)) break;
      const all = Buffer.concat(chunks);
      expect(Buffer.from(collector.body())).toEqual(all.subarray(0, cap));
      expect(collector.overflowed).toBe(all.byteLength > cap);
    }),
  );
});
