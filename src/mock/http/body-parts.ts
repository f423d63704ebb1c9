const PARTS_PER_SECOND = 10;

/** Splits a body into parts with the pause before each. Without a speed, it is one part without a pause. */
export function* bodyParts(
  bytes: Uint8Array,
  bytesPerSecond = Infinity,
): Generator<{ part: Uint8Array; pauseMs: number }, void> {
  const length = Math.max(1, Math.round(bytesPerSecond / PARTS_PER_SECOND));
  for (let start = 0; start < bytes.length; start += length) {
    const part = bytes.subarray(start, start + length);
    yield { part, pauseMs: (part.length / bytesPerSecond) * 1_000 };
  }
}
