/** Thrown within the codec where a message breaks the format. Never leaves it: the door answers with a value. */
export class Malformed extends Error {}
