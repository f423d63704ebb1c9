/** Creates a random generator with the same numbers in every run (Mulberry32): at least 0, less than 1. */
export function seededRandom(seed: number): () => number;
