export declare function collectResults(
  args: string[],
  options: { node: string; env: Record<string, string | undefined> },
): Promise<{ code: number | null; isComplete: boolean; rows: unknown[]; peers: object }>;
