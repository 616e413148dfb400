/** What the sources declare and say, read by TypeDoc: names, types and TSDoc, none of it rendered yet. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, Converter, DeclarationReflection, type ReferenceReflection } from 'typedoc';
import type { Node, TypeNode } from 'typescript';
import { publicPackages, ROOT } from '../../../scripts/workspace.ts';

/** The declarations of the files asked for. */
export interface SourceModel {
  /** What a file exports, in its order. */
  exportsOf(file: string): readonly DeclarationReflection[];
  /** One exported declaration of a file. @throws when the file has none of that name */
  declaration(file: string, name: string): DeclarationReflection;
}

/**
 * Reads source files, given relative to the repository's root. Types are read, not checked: the build has done that.
 * The project's own compiler has no interface that TypeDoc could use, so TypeDoc brings one of its own.
 */
export async function readSources(files: readonly string[]): Promise<SourceModel> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeep-reference-'));
  try {
    const entryPoints = [...new Set(files)].map((file) => join(ROOT, file));
    const tsconfig = join(folder, 'tsconfig.json');
    writeFileSync(tsconfig, JSON.stringify(compilerSettings(entryPoints)));
    const application = await Application.bootstrap({
      entryPoints,
      tsconfig,
      basePath: ROOT,
      packageOptions: {},
      skipErrorChecking: true,
      disableGit: true,
      sourceLinkTemplate: '{path}',
      sort: ['source-order'],
      readme: 'none',
      logLevel: 'Error',
      excludePrivate: true,
      excludeProtected: true,
      // The manifest of the elements has tags of its own.
      blockTags: [
        '@throws',
        '@see',
        '@example',
        '@default',
        '@param',
        '@returns',
        '@module',
        '@typeParam',
        '@remarks',
        ...ELEMENT_TAGS,
      ],
    });
    useWrittenTypes(application);
    const project = await application.convert();
    if (project === undefined) throw new Error('The sources cannot be read.');
    const modules = new Map(
      (project.children ?? []).map((module) => [
        module.sources?.[0]?.fullFileName.slice(ROOT.length + 1) ?? '',
        module,
      ]),
    );
    const exportsOf = (file: string): readonly DeclarationReflection[] => {
      const module = modules.get(file);
      if (module === undefined) throw new Error(`${file} was not read.`);
      return (module.children ?? []).map(declared);
    };
    return {
      exportsOf,
      declaration(file, name) {
        const found = exportsOf(file).find((each) => each.name === name);
        if (found === undefined) throw new Error(`${file} exports no ${name}.`);
        return found;
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Shows types as they are written. A compiler gives the members of a union an order that depends on everything else that it
 * has read, and forgets the names of some.
 */
function useWrittenTypes({ converter }: Application): void {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const written = writtenType(context.getSymbolFromReflection(reflection)?.declarations?.[0]);
    if (written === undefined || reflection.type === undefined) return;
    reflection.type = converter.convertType(context.withScope(reflection), written);
  });
  converter.on(Converter.EVENT_CREATE_PARAMETER, (context, reflection, node) => {
    const written = writtenType(node);
    if (written === undefined || reflection.type?.type === 'reflection') return;
    reflection.type = converter.convertType(context.withScope(reflection), written);
  });
}

/** The type that stands in a declaration. */
function writtenType(node: Node | undefined): TypeNode | undefined {
  return (node as { readonly type?: TypeNode } | undefined)?.type;
}

/** What a re-export leads to. */
function declared(reflection: DeclarationReflection | ReferenceReflection): DeclarationReflection {
  const target = reflection.isReference() ? reflection.getTargetReflectionDeep() : reflection;
  if (target instanceof DeclarationReflection) return target;
  throw new Error(`${reflection.name} leads to nothing that could be described.`);
}

const ELEMENT_TAGS = ['@tagname', '@slot', '@csspart', '@cssproperty', '@event', '@attr'] as const;

function sourcePaths(): Record<string, readonly string[]> {
  return Object.fromEntries(
    publicPackages().flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {})
        .filter(([, target]) => target.endsWith('.js'))
        .map(([subpath, target]) => [
          `${manifest.name}${subpath.slice(1)}`,
          [join(ROOT, folder, target.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))],
        ]),
    ),
  );
}

function compilerSettings(files: readonly string[]): unknown {
  return {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      composite: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
      isolatedDeclarations: false,
      rootDir: ROOT,
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      types: ['node'],
      experimentalDecorators: true,
      useDefineForClassFields: false,
      // Packages see each other's sources, so that a type that goes through two of them is one type.
      paths: sourcePaths(),
    },
    files,
  };
}
