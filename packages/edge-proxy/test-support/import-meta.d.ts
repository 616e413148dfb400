/** What the test runner adds to modules: files of the repository as texts. */
interface ImportMeta {
  glob(path: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>;
}
