// The program under test: how many pets are sold. It gets its client from outside.
export async function countSoldPets(store) {
  const { pets, complete } = await store.pets.listAll({ status: 'sold' });
  return complete ? `${pets.length}` : `at least ${pets.length}`;
}
