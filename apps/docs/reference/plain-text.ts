/** Text that was written for a terminal, as Markdown. */

/** The text with everything set as code that is typed: options, variables, addresses, names with a placeholder. */
export function withCode(text: string): string {
  return text.replaceAll(
    /(?<![\w`-])(https?:\/\/[\w.:/-]*\w|--[a-z][\w-]*|[A-Z][A-Z]+_[A-Z_]*[A-Z](?:<\w+>)?(?:\.\w+)?|\w*<\w+>[\w.]*|\w+\[\]|sk_\w*(?:live|test)_?)(?![\w`])/g,
    '`$1`',
  );
}

/** A description as a sentence: a capital at its beginning, a full stop at its end. */
export function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? '' : '.';
  return withCode(`${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`);
}
