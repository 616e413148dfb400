// What the reference of the packages is made from: every subpath that a program can import, and the settings of the proxy.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Converter, IntrinsicType, OptionDefaults, PageEvent, ReferenceType, ReflectionKind } from 'typedoc';

const ROOT = join(import.meta.dirname, '../..');

/** Name of each module by its source. */
export const modules = new Map(
  ['core', 'widgets', 'react', 'edge-proxy', 'sandbox'].flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8'));
    return Object.entries(exports)
      .filter(([subpath]) => !/^\.\/(?:define|cdn|types|editor|worker)/.test(subpath))
      .flatMap(([subpath, target]) => {
        const pattern = join(ROOT, 'packages', folder, target.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
        const [before, after] = pattern.split('*');
        return globSync(pattern)
          .filter((file) => !/\.test(?:-d)?\.ts$/.test(file))
          .sort()
          .map((file) => {
            const member = after === undefined ? '' : file.slice(before.length, file.length - after.length);
            return [file, join(name, subpath.replace('*', member))];
          });
      });
  }),
);
modules.set(join(ROOT, 'packages/core/src/contract/property.ts'), 'configuration/property');
modules.set(join(ROOT, 'packages/edge-proxy/src/properties/settings.ts'), 'configuration/environment');

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'Packages',
  entryFileName: 'index',
  entryPoints: [...modules.keys()],
  tsconfig: join(import.meta.dirname, 'tsconfig.typedoc.json'),
  skipErrorChecking: true,
  disableSources: true,
  cleanOutputDir: false,
  disableGit: true,
  readme: 'none',
  router: 'module',
  sort: ['source-order'],
  excludePrivate: true,
  excludeInternal: true,
  plugin: ['typedoc-plugin-markdown', nameModules, leaveOutLifecycle, readContract, nameShapes, refuseGaps],
  packagesRequiringDocumentation: ['core', 'widgets', 'react', 'edge-proxy', 'sandbox'].map(
    (folder) => `@innkeep/${folder}`,
  ),
  requiredToBeDocumented: ['Class', 'Interface', 'TypeAlias', 'Function', 'Variable'],
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  useCodeBlocks: true,
  expandObjects: true,
  expandParameters: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true, hideSources: true },
  excludeExternals: true,
  // The manifest of the elements has tags of its own.
  blockTags: [...OptionDefaults.blockTags, '@tagname', '@slot', '@csspart', '@cssproperty', '@attr'],
  excludeTags: ['@tagname', '@slot', '@csspart', '@cssproperty', '@attr'],
};

/** Calls each module what a program imports it as. */
function nameModules(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.children ?? []) {
      const file = context.getSymbolFromReflection(module)?.declarations?.[0]?.fileName;
      module.name = modules.get(file) ?? module.name;
      if (!module.name.startsWith('configuration/')) continue;
      // Of the settings, their fields are of interest, not what parses them.
      for (const child of [...(module.children ?? [])])
        if (!child.kindOf([ReflectionKind.Interface, ReflectionKind.TypeAlias]) && !/^[A-Z]+$/.test(child.name))
          context.project.removeReflection(child);
    }
  });
}

/** The site is not built from exports that say nothing, or that link to nothing. */
function refuseGaps(app) {
  app.converter.on(Converter.EVENT_END, ({ project }) => {
    app.validate(project);
    if (app.logger.validationWarningCount > 0) throw new Error('The reference has gaps: see the warnings above.');
  });
}

/** Types inferred from schemas: their fields have no default values, and of a schema only its name and words are of interest. */
function readContract(app) {
  // Each field of an inferred type is declared twice at one place, which is no second comment.
  const log = app.logger.log.bind(app.logger);
  app.logger.log = (text, level) => {
    if (!/ has multiple declarations with a comment|The comments for \S+ are declared at/.test(text)) log(text, level);
  };
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const field of project.getReflectionsByKind(ReflectionKind.Property))
      if (/^\.{3}$|Schema$/i.test(field.defaultValue ?? '')) delete field.defaultValue;
    for (const schema of project.getReflectionsByKind(ReflectionKind.Variable))
      if (/Schema$/.test(schema.name)) schema.type = new IntrinsicType('GenericSchema');
  });
}

/** What an object looks like: its fields in any order, with the types of these or without. */
function shapeOf({ children, signatures = [] }, withTypes = true) {
  const field = ({ name, flags, type }) => `${name}${flags.isOptional ? '?' : ''}:${withTypes ? typeText(type) : ''}`;
  return signatures.length > 0 ? undefined : children?.map(field).sort().join();
}

function typeText(type) {
  if (type?.types !== undefined)
    return type.types
      .map(typeText)
      .sort()
      .join(type.type === 'union' ? '|' : '&');
  if (type?.elementType !== undefined) return `(${typeText(type.elementType)})[]`;
  return type?.declaration?.children === undefined ? String(type) : `{${shapeOf(type.declaration)}}`;
}

/**
 * The compiler forgets the names of inferred types and writes their fields out, within each other and down to “...”: what is a shape of
 * the contract gets its name and a link. An object whose fields have rows of their own is not written out before them.
 */
function nameShapes(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const shapes = new Map();
    for (const module of project.children ?? [])
      if (['@innkeep/core/contract', 'configuration/property'].includes(module.name))
        for (const shape of module.getChildrenByKind(ReflectionKind.Interface))
          for (const text of [shapeOf(shape), shapeOf(shape, false)])
            shapes.set(text, shapes.has(text) ? undefined : shape);
    const named = (type) => {
      if (type.type === 'reflection' && type.declaration.children !== undefined) {
        const text = shapeOf(type.declaration);
        const shape = shapes.get(text?.includes('...') ? shapeOf(type.declaration, false) : text);
        if (shape !== undefined) return ReferenceType.createResolvedReference(shape.name, shape, project);
      }
      if (type.elementType !== undefined) type.elementType = named(type.elementType);
      for (const part of ['types', 'typeArguments']) if (type[part] !== undefined) type[part] = type[part].map(named);
      return type;
    };
    for (const reflection of Object.values(project.reflections))
      if (reflection.type !== undefined) reflection.type = named(reflection.type);
  });
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents.replaceAll(
      /^(\| (?:<a id="[^"]*"><\/a> )?`([^`?]+)\??` \|) \\\{(?:\\.|[^|\\])*\|(?=.*\n\| `\2\.)/gm,
      '$1 `object` |',
    );
  });
}

/** The browser and Lit read and call these; a page never does. */
const LIFECYCLE =
  /^(?:\w+Callback|createRenderRoot|draw|firstUpdated|render|shouldUpdate|styles|update|updated|willUpdate)$/;

function leaveOutLifecycle(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const element of project.getReflectionsByKind(ReflectionKind.Class))
      for (const member of [...(element.children ?? [])])
        if (
          // A deployment names the proxy's objects; who calls their methods is the proxy.
          element.parent?.name.startsWith('@innkeep/edge-proxy') ||
          (element.parent?.name === '@innkeep/widgets' && LIFECYCLE.test(member.name))
        )
          project.removeReflection(member);
  });
}
