/** What the sources declare and say, read by TypeDoc: names, types and TSDoc, none of it rendered yet. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, DeclarationReflection, type ReferenceReflection } from 'typedoc';
import { ROOT } from '../../../scripts/workspace.ts';

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

/** What a re-export leads to. */
function declared(reflection: DeclarationReflection | ReferenceReflection): DeclarationReflection {
  const target = reflection.isReference() ? reflection.getTargetReflectionDeep() : reflection;
  if (target instanceof DeclarationReflection) return target;
  throw new Error(`${reflection.name} leads to nothing that could be described.`);
}

const ELEMENT_TAGS = ['@tagname', '@slot', '@csspart', '@cssproperty', '@event', '@attr'] as const;

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
    },
    files,
  };
}
