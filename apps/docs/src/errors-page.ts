/** The page of all stable error codes, from the comments above them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT: string = join(import.meta.dirname, '../../..');

/** What one comment says about a code. */
export interface ErrorCode {
  readonly code: string;
  /** Who answers with it or throws it. */
  readonly origin: string;
  /** The comment as Markdown: meaning, “Money: …”, “What to do: …”. */
  readonly comment: string;
}

/** Who has the codes of a list or a union, by its name. */
const ORIGINS: Readonly<Record<string, string>> = {
  CHECKOUT_ERROR_CODES: '`error.code` of a checkout session',
  MONEY_OPERATION_ERROR_CODES: '`error.code` of a charge or a reversal',
  PayErrorCode: '`pay-error` event of an element',
  CliErrorCode: '`innkeep` command',
};

/** Every code with a comment that says what to do, wherever it stands in the packages. */
export function readErrorCodes(): readonly ErrorCode[] {
  return globSync('packages/*/src/**/*.ts', { cwd: ROOT, exclude: (path) => /\.test\.ts$/.test(path) })
    .sort()
    .flatMap((file) => errorCodesOf(readFileSync(join(ROOT, file), 'utf8')));
}

/** The codes of one file: a row of a table with a status, a member of a list or a union, or a class with a literal `code`. */
export function errorCodesOf(source: string): readonly ErrorCode[] {
  return [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*?\n *\* What to do:(?:(?!\*\/)[\s\S])*)\*\/\s*(.*)/g)].map(
    (match) => {
      const [, raw = '', line = ''] = match;
      const comment = raw
        .replaceAll(/^[ \t]*\* ?/gm, '')
        .replaceAll(/\{@link (\w+)\}/g, '`$1`')
        .trim();
      const [, row, status] = /^(\w+): (\d{3})/.exec(line) ?? [];
      if (row !== undefined) return { code: row, origin: `HTTP ${status} of the proxy`, comment };
      const [, className] = /^export class (\w+)/.exec(line) ?? [];
      if (className !== undefined) {
        const [, code] = /\bcode\b[^;{]*?'(\w+)'/.exec(source.slice(match.index)) ?? [];
        return { code: code ?? '', origin: `\`${className}\``, comment };
      }
      const [, member = ''] = /^[|(]?\s*(?:v\.literal\()?'(\w+)'/.exec(line) ?? [];
      const owner = [...source.slice(0, match.index).matchAll(/\b(?:type|const) (\w+)/g)].at(-1)?.[1] ?? '';
      return { code: member, origin: ORIGINS[owner] ?? `\`${owner}\``, comment };
    },
  );
}

/** The page. */
export function errorsPage(): string {
  const codes = Map.groupBy(readErrorCodes(), ({ code }) => code);
  if (codes.has('')) throw new Error(`A comment with “What to do:” has no code: ${codes.get('')?.[0]?.comment}`);
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '# Errors',
    'Every stable error code: what it means, who sees it, whether money may have moved, and what to do. Switch on codes, never on messages.',
    'A failed HTTP call is answered with `application/problem+json`. `detail` says what happened in this case; `param` is the dotted path of the field or the header to blame; `resource` is the id of what the failure is about; `traceId` joins the answer with the log. The clients of `@innkeep/core` throw it as `CheckoutError` or `MerchantError` with the same `code`.',
    ...sorted.flatMap(([code, entries]) => [
      `## ${code}`,
      ...entries.map(
        ({ origin, comment }) => `**${origin}.** ${comment.replaceAll(/^(Money|What to do): /gm, '**$1:** ')}`,
      ),
    ]),
    '',
  ].join('\n\n');
}
