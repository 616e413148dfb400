/** One framework's page about the same thing: a pay element that takes its session from the address and says when it is paid. */
export interface FrameworkPage {
  /** Folder in the shared project, and the page's path on the site. */
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The framework's own type check, run in the shared project, where its build makes none. */
  readonly typeCheck?: readonly string[];
  /** What has to be built before, or in place of, the bundle. */
  readonly build?: readonly string[];
}

/** The address carries what a hotel's server would put into the page. */
export const FROM_ADDRESS = `
export const address = new URLSearchParams(globalThis.location?.search);
export const endpoint = address.get('endpoint') ?? undefined;
export const clientSecret = address.get('secret') ?? undefined;
`;

/** A page that loads one module; `#paid` is where it writes the session's id. */
export function indexHtml(module: string, body = '<div id="app"></div>'): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Booking</title></head>
  <body>${body}<script type="module" src="${module}"></script></body>
</html>
`;
}

/** Compiler options as strict as a careful site's. */
export function tsconfig(options: object = {}, include: readonly string[] = ['*.ts', '*.tsx']): string {
  return JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      verbatimModuleSyntax: true,
      ...options,
    },
    include,
  });
}
