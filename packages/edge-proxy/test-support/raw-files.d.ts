/** Files that a test reads as they are. */
declare module '*?raw' {
  const text: string;
  export default text;
}
