export const DIGEST_FILE: string;
export function sourceDigest(): string;
