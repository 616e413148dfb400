/** The manifest is the single source of the framework typings, the editor data and the element pages. */
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
        for (const module of customElementsManifest.modules) {
          for (const declaration of module.declarations ?? []) {
            // Definitions are made by a helper, which the analyzer does not see through.
            if (declaration.tagName) {
              module.exports?.push({
                kind: 'custom-element-definition',
                name: declaration.tagName,
                declaration: { name: declaration.name, module: module.path },
              });
            }
            // The analyzer takes both from the text: the import by its condition, and an attribute that may be absent.
            if (declaration.superclass?.name === 'LitElement')
              declaration.superclass = { name: 'LitElement', package: 'lit' };
            for (const attribute of declaration.attributes ?? []) {
              const { name, type } = attribute;
              if (type === undefined) throw new TypeError(`${declaration.name}: write \`@attr {type} ${name} - …\``);
              attribute.type = { text: type.text.replace(' | undefined', '') };
            }
            declaration.members = declaration.members?.filter(
              ({ privacy }) => privacy !== 'private' && privacy !== 'protected',
            );
          }
        }
      },
    },
  ],
};
