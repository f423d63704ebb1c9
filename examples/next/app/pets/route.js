// Pets for a browser: ids are strings, because JSON.parse rounds integers beyond 2^53.
import { createPetStore, isPetStoreError } from 'petstore';

// A response is not kept: pets are sold at any time.
export const dynamic = 'force-dynamic';

let store;

export async function GET(request) {
  // Created with the first request, because the build also loads this file, without a key.
  store ??= createPetStore({
    apiKey: process.env.PETSTORE_API_KEY,
    baseUrl: process.env.PETSTORE_BASE_URL,
  });
  try {
    const pets = await store.pets.list({ limit: 20 }, { signal: request.signal });
    return Response.json(pets.map((pet) => ({ ...pet, id: `${pet.id}`, categoryId: `${pet.categoryId}` })));
  } catch (error) {
    if (!isPetStoreError(error) || error.type !== 'rate-limit') throw error;
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1000);
    return Response.json(
      { message: 'Too many requests' },
      { status: 503, headers: { 'retry-after': `${seconds}` } },
    );
  }
}
