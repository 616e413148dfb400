/** Reads what the contract's TSDoc says of each field, so that the OpenAPI documents say the same and it is written once. */
import { join } from 'node:path';
import * as contract from '@innkeep/core/contract';
import { API, type Checker, type Type, type TypeReference } from 'typescript/unstable/sync';
import { isOfKind } from 'valibot';
import { FIELD_TEXTS } from '../openapi/field-texts.ts';

/** Schemas whose own type says nothing of their fields, and those that they are made of. */
const WRITTEN_AT: Readonly<Record<string, string>> = { PropertyPatchSchema: 'PropertySchema' };
const CORE = join(import.meta.dirname, '../../core');

/** What this file reads of a schema: whatever can have fields in it. */
interface Part {
  readonly entries?: Readonly<Record<string, Part>>;
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly options?: readonly Part[];
}

/** Fills {@link FIELD_TEXTS}. Call it before the documents are loaded. */
export function readFieldTexts(): void {
  const api = new API();
  const [project] = api.updateSnapshot({ openProject: join(CORE, 'tsconfig.json') }).getProjects();
  const file = project?.program.getSourceFile(join(CORE, 'src/contract/index.ts'));
  const module = file && project?.checker.getSymbolAtLocation(file);
  if (module === undefined || project === undefined) throw new Error(`TypeScript finds no contract in ${CORE}`);
  for (const [name, value] of Object.entries<unknown>(contract)) {
    const symbol = project.checker.getMemberInModuleExports(module, WRITTEN_AT[name] ?? name);
    const type = symbol && project.checker.getTypeOfSymbol(symbol);
    if (isOfKind('schema', Object(value))) read(value as Part, type, project.checker);
    if (value === contract.PROBLEM_STATUSES && type) FIELD_TEXTS.set(value, textsOf(type, project.checker));
  }
  api.close();
}

/** Goes through a schema and its type side by side: the one says which objects there are, the other where their fields are written. */
function read({ entries, wrapped, item, options }: Part, type: Type | undefined, checker: Checker): void {
  if (type === undefined) return;
  const typeOf = (owner: Type, name: string) => {
    const member = checker.getPropertyOfType(owner, name);
    return member && checker.getTypeOfSymbol(member);
  };
  if (wrapped) read(wrapped, typeOf(type, 'wrapped'), checker);
  if (item) read(item, typeOf(type, 'item'), checker);
  const optionTypes = options && (typeOf(type, 'options') as TypeReference | undefined);
  const optionTypeArguments = optionTypes && checker.getTypeArguments(optionTypes);
  for (const [at, option] of options?.entries() ?? []) read(option, optionTypeArguments?.[at], checker);
  const fields = typeOf(type, 'entries');
  if (entries === undefined || fields === undefined || FIELD_TEXTS.has(entries)) return;
  FIELD_TEXTS.set(entries, textsOf(fields, checker));
  for (const [name, entry] of Object.entries(entries)) read(entry, typeOf(fields, name), checker);
}

function textsOf(type: Type, checker: Checker): Readonly<Record<string, string>> {
  const members = checker.getPropertiesOfType(type);
  return Object.fromEntries(members.map((each) => [each.name, inOneLine(each.getDocumentationComment(checker))]));
}

function inOneLine(text: string): string {
  return text.replaceAll(/\{@link ([^}]*)\}/g, '`$1`').replaceAll(/\s*\n\s*/g, ' ');
}
