/** Exchanges with mocks that deviate from the OpenAPI document, in the current test. */
export const deviations: string[] = [];
