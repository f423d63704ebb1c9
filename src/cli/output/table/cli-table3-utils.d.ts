declare module 'cli-table3/src/utils.js' {
  const utils: {
    /** The columns that cli-table3 counts for a text. */
    strlen(text: string): number;
  };
  export default utils;
}
