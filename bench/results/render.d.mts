export declare function renderResults(results: unknown, reasons: unknown): string;
