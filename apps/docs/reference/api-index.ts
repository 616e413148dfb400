/** Which page has the entry of each exported name: a name that several subpaths export is described once. */
import { dirname } from 'node:path';
import GithubSlugger from 'github-slugger';
import { DeclarationReflection, type Reflection, ReflectionKind } from 'typedoc';
import type { ApiModule } from './api-modules.ts';
import { tagTexts } from './comment-text.ts';
import { address } from './markdown.ts';
import type { SourceModel } from './source-model.ts';
import type { FindEntry } from './type-text.ts';

/** The exported names of all modules. */
export interface ApiIndex {
  readonly modules: readonly ApiModule[];
  /** What can be called comes first. */
  exportsOf(module: ApiModule): readonly DeclarationReflection[];
  /** The module whose page describes the declaration. */
  homeOf(declaration: DeclarationReflection): ApiModule;
  /** Link to the entry of an export on the page of a module. */
  linkTo(module: ApiModule, declaration: DeclarationReflection): string;
  readonly find: FindEntry;
}

const ORDER: readonly ReflectionKind[] = [
  ReflectionKind.Function,
  ReflectionKind.Class,
  ReflectionKind.Variable,
  ReflectionKind.Interface,
  ReflectionKind.TypeAlias,
];

/** Gives every declaration a home. */
export function indexApi(model: SourceModel, modules: readonly ApiModule[]): ApiIndex {
  const exporters = new Map<Reflection, ApiModule[]>();
  const rank = ({ kind }: DeclarationReflection): number => ORDER.indexOf(kind);
  const lists = new Map(
    modules.map((module) => [module, model.exportsOf(module.file).toSorted((one, other) => rank(one) - rank(other))]),
  );
  const exportsOf = (module: ApiModule): readonly DeclarationReflection[] => lists.get(module) ?? [];
  const linkTo = (module: ApiModule, declaration: DeclarationReflection): string => {
    // Names that differ only by their capitals are numbered, as the site numbers them.
    const slugger = new GithubSlugger();
    const anchors = new Map(exportsOf(module).map((each) => [each, slugger.slug(each.name)]));
    return address(module.path, anchors.get(declaration));
  };
  for (const module of modules) {
    for (const declaration of exportsOf(module)) {
      exporters.set(declaration, [...(exporters.get(declaration) ?? []), module]);
    }
  }
  const homeOf = (declaration: DeclarationReflection): ApiModule => {
    const candidates = exporters.get(declaration) ?? [];
    const file = declaration.sources?.[0]?.fileName ?? '';
    const home =
      candidates.find((module) => module.file === file) ??
      candidates.find((module) => dirname(module.file) === dirname(file) && dirname(dirname(file)).endsWith('/src')) ??
      // A package's front door repeats what its rooms have, so the rooms come first.
      candidates.find(({ specifier }) => specifier.split('/').length > 2) ??
      candidates[0];
    if (home === undefined) throw new Error(`${declaration.name} is exported nowhere.`);
    return home;
  };
  const find: FindEntry = (reflection) => {
    const owner = [reflection, reflection.parent].find((each) => each !== undefined && exporters.has(each));
    if (!(owner instanceof DeclarationReflection)) return undefined;
    const tagName = elementTagName(owner);
    if (tagName !== undefined) return address(`reference/elements/${tagName}`);
    return linkTo(homeOf(owner), owner);
  };
  return { modules, exportsOf, homeOf, linkTo, find };
}

/** The tag of an element's class. */
export function elementTagName(declaration: DeclarationReflection): string | undefined {
  return tagTexts(declaration.comment, '@tagname', () => undefined)[0];
}
