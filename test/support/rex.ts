/** Rex as a caller passes it. */
export const NEW_PET = { name: 'Rex', categoryId: 2 };

/** Rex as the service returns it. */
export const REX = { id: 1, ...NEW_PET };
