// Compiled against the packed package; not run.
import { setupServer } from 'msw/node';
import { createMock } from 'petstore/mock';
import { handlers } from 'petstore/mock/msw';

export const server = setupServer(...handlers(createMock(), { baseUrl: 'https://pets.test/v1' }));
