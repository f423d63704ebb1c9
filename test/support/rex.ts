/** Rex as a caller names him. */
export const NEW_PET = { name: 'Rex', categoryId: 2 };

/** Rex as the service shows him. */
export const REX = { id: 1, ...NEW_PET };
