export function isBuildCurrent(): boolean;
