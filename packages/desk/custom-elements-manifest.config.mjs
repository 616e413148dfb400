/** What editors and catalogs read about the elements. */
export default {
  litelement: true,
  outdir: 'dist',
  packagejson: false,
  globs: ['src/base/*-element.ts', 'src/elements/**/*.ts'],
  exclude: ['src/**/*.test.ts', 'src/**/define.ts'],
  plugins: [
    {
      name: 'public-only',
      packageLinkPhase({ customElementsManifest }) {
        // The analyzer lists modules in the order in which the file system answered, which differs from run to run.
        customElementsManifest.modules.sort((one, other) => (one.path < other.path ? -1 : 1));
        for (const declaration of customElementsManifest.modules.flatMap(({ declarations }) => declarations ?? []))
          declaration.members = declaration.members?.filter(
            ({ privacy }) => privacy !== 'private' && privacy !== 'protected',
          );
      },
    },
  ],
};
