/** What editors and catalogs read about the elements. */
export default {
  litelement: true,
  outdir: 'dist',
  packagejson: false,
  globs: ['src/base/*-element.ts', 'src/elements/**/*.ts'],
  exclude: ['src/**/*.test.ts', 'src/**/define.ts', 'src/base/define-element.ts'],
  plugins: [
    {
      name: 'public-only',
      packageLinkPhase({ customElementsManifest }) {
        // The analyzer lists modules in the order in which the file system answered, which differs from run to run.
        customElementsManifest.modules.sort((one, other) => (one.path < other.path ? -1 : 1));
        for (const declaration of customElementsManifest.modules.flatMap(({ declarations }) => declarations ?? [])) {
          // What is marked as internal comes back from `static properties`, without the description that all else has.
          declaration.members = declaration.members?.filter(
            ({ privacy, description }) => privacy !== 'private' && privacy !== 'protected' && description,
          );
          declaration.attributes = declaration.attributes?.filter(({ description }) => description);
        }
      },
    },
  ],
};
