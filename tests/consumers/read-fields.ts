import { join } from 'node:path';
import { API, SymbolFlags, type Type, TypeFlags, type UnionType } from 'typescript/unstable/sync';

/** How many fields the exported types of a folder's `index.ts` have, and those of ours of which an editor says nothing. */
export function readFields(folder: string): { readonly fields: number; readonly silent: readonly string[] } {
  const api = new API();
  const [project] = api.updateSnapshot({ openProject: join(folder, 'tsconfig.json') }).getProjects();
  const file = project?.program.getSourceFile(join(folder, 'index.ts'));
  const module = file && project?.checker.getSymbolAtLocation(file);
  if (project === undefined || module === undefined) throw new Error(`TypeScript finds no index.ts in ${folder}`);
  const { checker } = project;
  const partsOf = (type: Type): readonly Type[] => {
    if (type.flags & TypeFlags.Union) return (type as UnionType).getTypes().flatMap(partsOf);
    return type.flags & (TypeFlags.Object | TypeFlags.Intersection) ? [type] : [];
  };
  const fields = checker.getExportsOfModule(module).flatMap((exported) =>
    partsOf(
      checker.getDeclaredTypeOfSymbol(
        exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
      ),
    )
      .flatMap((type) => checker.getPropertiesOfType(type))
      .filter(
        (field) =>
          field.declarations.some(({ path }) => path.includes('/@innkeep/')) &&
          !isAbsent(checker.getTypeOfSymbol(field)),
      )
      .map((field) => ({ name: `${exported.name}.${field.name}`, text: field.getDocumentationComment(checker) })),
  );
  api.close();
  return { fields: fields.length, silent: fields.filter(({ text }) => text === '').map(({ name }) => name) };
}

/** Whether a field is there only to say that another form has it. */
function isAbsent(type: Type | undefined): boolean {
  return type === undefined || (type.flags & TypeFlags.Undefined) !== 0;
}
