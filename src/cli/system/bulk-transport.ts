/** In a file of its own, because an import of the whole client on demand would load all of it. */
export { undiciTransport } from '../../client/internal.js';
