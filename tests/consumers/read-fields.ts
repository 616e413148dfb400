import { join } from 'node:path';
import {
  API,
  type Symbol as Named,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync';

/**
 * How many fields the exported types of a folder's `index.ts` have, and those of ours of which an editor says nothing.
 * `isDeep`: those within fields as well.
 */
export function readFields(
  folder: string,
  isDeep: boolean,
): { readonly fields: number; readonly silent: readonly string[] } {
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
  const seen = new Set<Type>();
  const fieldsOf = (name: string, type: Type): readonly { readonly name: string; readonly text: string }[] =>
    partsOf(type).flatMap((part) => {
      if (seen.has(part)) return [];
      seen.add(part);
      if (checker.isArrayType(part)) {
        return checker.getTypeArguments(part as TypeReference).flatMap((item) => fieldsOf(`${name}[]`, item));
      }
      return checker
        .getPropertiesOfType(part)
        .filter(isOurs)
        .flatMap((field) => {
          const within = checker.getTypeOfSymbol(field);
          if (isAbsent(within)) return [];
          const path = `${name}.${field.name}`;
          return [
            { name: path, text: field.getDocumentationComment(checker) },
            ...(within && isDeep ? fieldsOf(path, within) : []),
          ];
        });
    });
  const fields = checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    return fieldsOf(exported.name, checker.getDeclaredTypeOfSymbol(symbol));
  });
  api.close();
  return { fields: fields.length, silent: fields.filter(({ text }) => text === '').map(({ name }) => name) };
}

function isOurs({ declarations }: Named): boolean {
  return declarations.some(({ path }) => path.includes('/@innkeep/'));
}

/** Whether a field is there only to say that another form has it. */
function isAbsent(type: Type | undefined): boolean {
  return type === undefined || (type.flags & TypeFlags.Undefined) !== 0;
}
