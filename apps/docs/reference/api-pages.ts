/** The pages of everything that a program can import. */
import {
  type Comment,
  type DeclarationReflection,
  type ReferenceType,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
  type Type,
} from 'typedoc';
import { readText } from '../../../scripts/workspace.ts';
import { type ApiIndex, elementTagName } from './api-index.ts';
import type { ApiModule } from './api-modules.ts';
import { defaultText, summaryText, tagTexts } from './comment-text.ts';
import { commentedParts } from './commented-source.ts';
import type { Gaps } from './gaps.ts';
import { address, blocks, code, codeLink, firstSentence, heading, table, toPlainText } from './markdown.ts';
import { moduleText } from './module-text.ts';
import type { ReferencePage } from './reference-page.ts';
import {
  type FindEntry,
  parameterName,
  signatureHead,
  signatureText,
  typeText,
  withoutUndefined,
} from './type-text.ts';
import { aboutType, commentOf } from './type-words.ts';

/** One page for each module. */
export function apiPages(index: ApiIndex, gaps: Gaps): readonly ReferencePage[] {
  return index.modules.map((module) => {
    const about = gaps.require(moduleText(readText(module.file)), `${module.file}: comment at the top`);
    const exports = index.exportsOf(module);
    return {
      path: module.path,
      title: module.specifier,
      description: toPlainText(firstSentence(about)),
      markdown: blocks(
        about,
        overview(index, module, exports),
        ...exports.map((declaration) => entry({ index, module, gaps }, declaration)),
      ),
    };
  });
}

interface Place {
  readonly index: ApiIndex;
  readonly module: ApiModule;
  readonly gaps: Gaps;
}

/** All names of a page in one table. */
function overview({ find, linkTo }: ApiIndex, module: ApiModule, exports: readonly DeclarationReflection[]): string {
  return table(
    ['Name', 'Kind', 'In short'],
    exports.map((declaration) => [
      codeLink(declaration.name, linkTo(module, declaration)),
      kindOf(declaration),
      firstSentence(summaryText(commentOf(declaration), find)),
    ]),
  );
}

function kindOf({ kind }: DeclarationReflection): string {
  switch (kind) {
    case ReflectionKind.TypeAlias:
      return 'type';
    case ReflectionKind.Variable:
      return 'constant';
    default:
      return ReflectionKind.singularString(kind).toLowerCase();
  }
}

function entry(place: Place, declaration: DeclarationReflection): string {
  const { index, module, gaps } = place;
  const home = index.homeOf(declaration);
  const comment = commentOf(declaration);
  const name = `${module.specifier}: ${declaration.name}`;
  const summary = gaps.require(summaryText(comment, index.find), name);
  const title = heading(2, declaration.name);
  const tagName = elementTagName(declaration);
  if (tagName !== undefined) {
    const element = codeLink(`<${tagName}>`, address(`reference/elements/${tagName}`));
    return blocks(title, `Class of ${element}. ${summary}`);
  }
  if (home !== module) {
    const entryThere = codeLink(home.specifier, index.linkTo(home, declaration));
    return blocks(title, `${firstSentence(summary)} The same as in ${entryThere}.`);
  }
  return blocks(title, summary, ...details(place, declaration), ...remarks(comment, index.find));
}

function details(place: Place, declaration: DeclarationReflection): readonly string[] {
  switch (declaration.kind) {
    case ReflectionKind.Function:
      return functionDetails(place, declaration);
    case ReflectionKind.Class:
      if (place.module.isRuntimeEntry)
        return ['For the runtime alone, which finds it by its name. A program does not call it.'];
      return [extendsText(place, declaration), constructorText(place, declaration), members(place, declaration)];
    case ReflectionKind.Interface:
      return [extendsText(place, declaration), constructorText(place, declaration), members(place, declaration)];
    case ReflectionKind.TypeAlias:
      return typeDetails(place, declaration);
    default:
      // What a runtime loads by name has no type that a program would need.
      return declaration.name === 'default' ? [] : [`Type: ${typeText(declaration.type, place.index.find)}`];
  }
}

function functionDetails(place: Place, declaration: DeclarationReflection): readonly string[] {
  const { index, gaps, module } = place;
  const signatures = declaration.signatures ?? [];
  const [first] = signatures;
  const parameters = new Map(
    signatures.flatMap((each) => (each.parameters ?? []).map((one) => [one.name, one] as const)),
  );
  const rows = [...parameters.values()].map((parameter) => {
    const isOptional = parameter.flags.isOptional || parameter.defaultValue !== undefined;
    const type = isOptional ? withoutUndefined(parameter.type) : parameter.type;
    const words = summaryText(parameter.comment, index.find) || aboutType(type, index.find);
    const name = parameterName(parameter.name);
    const preset =
      parameter.defaultValue === undefined || parameter.defaultValue === '{}'
        ? ''
        : ` Default: ${code(parameter.defaultValue)}.`;
    return [
      code(`${name}${isOptional ? '?' : ''}`),
      typeText(type, index.find),
      `${gaps.require(words, `${module.specifier}: ${declaration.name}, parameter ${name}`)}${preset}`,
    ];
  });
  const returns = tagTexts(first?.comment, '@returns', index.find)[0];
  return [
    signatures.map((each) => code(signatureHead(each, declaration.name, index.find))).join('\n\n'),
    table(['Parameter', 'Type', 'Description'], rows),
    first === undefined
      ? ''
      : `Returns ${typeText(first.type, index.find)}${returns === undefined ? '' : `: ${returns}`}`,
  ];
}

function typeDetails(place: Place, declaration: DeclarationReflection): readonly string[] {
  const { find } = place.index;
  const type = declaration.type as SomeType | undefined;
  if (type?.type === 'reflection' && type.declaration.children !== undefined) {
    return [members(place, type.declaration, declaration.name)];
  }
  if (type?.type === 'union' && type.elementSummaries !== undefined) {
    const { types, elementSummaries } = type;
    const rows = types.map((each, at) => [
      typeText(each, find),
      place.gaps.require(
        (elementSummaries[at] ?? [])
          .map(({ text }) => text)
          .join('')
          .trim(),
        `${place.module.specifier}: ${declaration.name} ${String(each)}`,
      ),
    ]);
    return [table(['Value', 'Meaning'], rows)];
  }
  if (type?.type === 'union' && type.types.some((each) => each.type === 'reflection')) {
    return ['One of:', type.types.map((each) => `- ${typeText(each, find)}`).join('\n')];
  }
  return [`Type: ${typeText(type, find)}`];
}

function extendsText({ index }: Place, { extendedTypes, implementedTypes }: DeclarationReflection): string {
  // A base that nobody can import is an implementation's; its members are listed all the same.
  const isPublic = (type: Type): boolean => {
    const { type: kind, package: home, reflection } = type as ReferenceType;
    return (
      kind === 'reference' &&
      (home?.startsWith('@innkeep/') !== true || (reflection && index.find(reflection)) !== undefined)
    );
  };
  const types = (label: string, list: readonly Type[] = []): string => {
    const shown = list.filter(isPublic);
    return shown.length === 0 ? '' : `${label} ${shown.map((each) => typeText(each, index.find)).join(', ')}.`;
  };
  return [types('Extends', extendedTypes), types('Implements', implementedTypes)].filter(Boolean).join(' ');
}

function constructorText({ index }: Place, declaration: DeclarationReflection): string {
  const made = declaration.children?.find(({ kind }) => kind === ReflectionKind.Constructor);
  if (made === undefined || made.inheritedFrom !== undefined) return '';
  return (made.signatures ?? [])
    .map((each) =>
      blocks(
        `Constructor: ${code(signatureHead(each, `new ${declaration.name}`, index.find))}`,
        summaryText(each.comment, index.find),
      ),
    )
    .join('\n\n');
}

/** Fields and methods in one table; an object inside is unfolded with dotted names. */
function members(place: Place, declaration: DeclarationReflection, owner: string = declaration.name): string {
  const { index, gaps, module } = place;
  const own = (declaration.children ?? []).filter(
    (child) =>
      child.kind !== ReflectionKind.Constructor &&
      !isOwnName(child, declaration) &&
      (declaration.kind !== ReflectionKind.Class || child.inheritedFrom === undefined),
  );
  const rows = unfold(own).flatMap(({ name, member }) => {
    const described = (text: string): string => gaps.require(text, `${module.specifier}: ${owner}.${name}`);
    const signatures = member.signatures ?? [];
    if (signatures.length > 0) {
      return signatures.map((each, at) => [
        code(`${name}()`),
        signatureText(each, index.find),
        at > 0 && each.comment === undefined ? '' : described(methodWords(each, index.find)),
      ]);
    }
    const { isOptional } = member.flags;
    const getter = member.getSignature;
    const comment = commentOf(member);
    const type = getter?.type ?? (isOptional ? withoutUndefined(member.type) : member.type);
    const words = summaryText(comment, index.find) || aboutType(type, index.find);
    const defaults = defaultText(comment, index.find);
    return [
      [
        code(`${name}${isOptional ? '?' : ''}`),
        typeText(type, index.find),
        described([words, defaults].filter(Boolean).join(' ')),
      ],
    ];
  });
  const more = (declaration.indexSignatures ?? []).map((each) => [
    code(`[${each.parameters?.[0]?.name ?? 'key'}]`),
    typeText(each.type, index.find),
    summaryText(each.comment, index.find) || 'Any other name.',
  ]);
  return table(['Member', 'Type', 'Description'], [...rows, ...more]);
}

function methodWords(signature: SignatureReflection, find: FindEntry): string {
  const { comment } = signature;
  const returns = tagTexts(comment, '@returns', find).map((each) => `Returns ${each}.`);
  const throws = tagTexts(comment, '@throws', find).map((each) => `Throws ${linkCodes(each)}.`);
  const parameters = (signature.parameters ?? []).flatMap((each) => {
    const words = summaryText(each.comment, find);
    return words === '' ? [] : [`${code(parameterName(each.name))}: ${words}.`];
  });
  return [summaryText(comment, find), ...parameters, ...returns, ...throws].filter(Boolean).join(' ');
}

/** `name` of an error class, which says nothing that the class's name does not. */
function isOwnName({ name, type }: DeclarationReflection, owner: DeclarationReflection): boolean {
  return name === 'name' && type?.type === 'literal' && type.value === owner.name;
}

interface Named {
  readonly name: string;
  readonly member: DeclarationReflection;
}

function unfold(list: readonly DeclarationReflection[], prefix = ''): readonly Named[] {
  return list.flatMap((member) => {
    const isStatic = member.flags.isStatic && member.parent !== undefined;
    const name = `${prefix}${isStatic ? `${member.parent?.name}.` : ''}${member.name}`;
    const type = member.type as SomeType | undefined;
    const inner =
      type?.type === 'reflection' && commentOf(member) === undefined ? type.declaration.children : undefined;
    return inner === undefined ? [{ name, member }] : unfold(inner, `${name}.`);
  });
}

function remarks(comment: Comment | undefined, find: FindEntry): readonly string[] {
  return [
    ...tagTexts(comment, '@remarks', find),
    ...tagTexts(comment, '@throws', find).map((each) => `Throws ${linkCodes(each)}.`.replace(/\.\.$/, '.')),
    ...tagTexts(comment, '@see', find).map((each) => `See ${each}.`.replace(/\.\.$/, '.')),
    ...tagTexts(comment, '@example', find),
  ];
}

/** Error codes in a text lead to their entries. */
function linkCodes(text: string): string {
  return text.replaceAll(/(?<!\[)`(\w+)`/g, (all, name: string) =>
    CORE_CODES.has(name) ? codeLink(name, address('reference/errors', name)) : all,
  );
}

const CORE_CODES: ReadonlySet<string> = new Set(
  commentedParts('packages/core/src/errors.ts', 'InnkeepErrorCode').map(({ name }) => name),
);
