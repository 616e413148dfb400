/** One entry for every stable code that anything of Innkeep can answer with or throw. */
import { ReflectionKind } from 'typedoc';
import { BODY, GUEST, MERCHANT, type Operation } from '../../../packages/edge-proxy/openapi/operation.ts';
import { readAdvice } from './advice.ts';
import type { ApiIndex } from './api-index.ts';
import { summaryText } from './comment-text.ts';
import { commentedParts } from './commented-source.ts';
import type { Gaps } from './gaps.ts';
import { ALL_OPERATIONS, operationLink } from './http-operations.ts';
import { blocks, code, codeLink, heading, table, toPlainText } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';
import type { SourceModel } from './source-model.ts';

const PATH = 'reference/errors';

/** What one place in the sources says about a code. */
interface Finding {
  readonly code: string;
  /** What stands before the meaning: status, class, resource. */
  readonly context: string;
  readonly comment: string;
}

interface Group {
  readonly title: string;
  readonly intro: string;
  readonly findings: readonly Finding[];
}

/** The page of all codes. */
export function errorsPage(model: SourceModel, index: ApiIndex, gaps: Gaps): ReferencePage {
  const groups = [proxyProblems(), coreErrors(model, index), ...resourceErrors(), elementErrors(), commandErrors()];
  const seen = new Set<string>();
  const all = groups.flatMap(({ findings }) => findings);
  return {
    path: PATH,
    title: 'Errors',
    description: 'Every stable error code: what it means, who sees it, whether money may have moved, and what to do.',
    markdown: blocks(
      'Codes are stable: switch on them, never on messages. Each has one entry here, whoever answers with it or throws it.',
      summary(all),
      ...groups.flatMap(({ title, intro, findings }) => {
        const own = findings.filter((finding) => !seen.has(finding.code));
        const elsewhere = findings.filter((finding) => seen.has(finding.code));
        for (const finding of own) seen.add(finding.code);
        return [
          heading(2, title),
          intro,
          elsewhere.length === 0
            ? ''
            : `Explained above: ${elsewhere.map((each) => codeLink(each.code, `#${each.code}`)).join(', ')}.`,
          ...own.map(({ code: name }) =>
            blocks(heading(3, name), ...all.filter((each) => each.code === name).map((each) => entry(each, gaps))),
          ),
        ];
      }),
    ),
  };
}

function summary(findings: readonly Finding[]): string {
  const codes = [...new Set(findings.map((each) => each.code))].sort();
  return table(
    ['Code', 'Where'],
    codes.map((name) => [
      codeLink(name, `#${name}`),
      findings
        .filter((each) => each.code === name)
        .map(({ context }) => context)
        .join('; '),
    ]),
  );
}

function entry({ code: name, context, comment }: Finding, gaps: Gaps): string {
  const { meaning, money, remedy } = readAdvice(comment);
  const what = `error code ${name} (${toPlainText(context)})`;
  return blocks(
    `**${context}.** ${gaps.require(meaning, `${what}: meaning`)}`,
    [
      `- Money: ${gaps.require(money, `${what}: "Money: …"`)}`,
      `- What to do: ${gaps.require(remedy, `${what}: "What to do: …"`)}`,
      ...seenBy(name, context),
    ].join('\n'),
  );
}

/** The operations that answer with a problem; the codes that whole groups share are told as such. */
function seenBy(name: string, context: string): readonly string[] {
  if (!context.startsWith('HTTP')) return [];
  const operations = ALL_OPERATIONS.filter(({ problems }) => problems.some((problem) => problem === name));
  const groups: string[] = [];
  const covers = (list: readonly string[], filter: (operation: Operation) => boolean, words: string): void => {
    if (list.includes(name)) {
      groups.push(words);
      for (const each of operations.filter(filter)) operations.splice(operations.indexOf(each), 1);
    }
  };
  covers(MERCHANT, ({ security }) => security === 'merchant', 'every call with a merchant key');
  covers(GUEST, ({ security }) => security === 'guest', 'every call with a client secret');
  covers(BODY, ({ body }) => body !== undefined && body.type === undefined, 'every call with a JSON body');
  if (name === 'not_found' || name === 'internal') return ['- Answered by: any address'];
  if (name === 'method_not_allowed') return ['- Answered by: any address, to another method'];
  const listed = [...groups, ...operations.map(operationLink)];
  return listed.length === 0 ? [] : [`- Answered by: ${listed.join(', ')}`];
}

function proxyProblems(): Group {
  const findings = commentedParts('packages/edge-proxy/src/problem.ts', 'STATUSES').map(({ name, value, comment }) => ({
    code: name,
    context: `HTTP ${String(value)} of the proxy`,
    comment,
  }));
  return {
    title: 'Answers of the proxy',
    intro: [
      'A failed call is answered with `application/problem+json`. `code` is one of these; `detail` says what happened in this',
      'case; `param` is the dotted path of the field or the header to blame; `resource` is the id of what the failure is about;',
      '`traceId` joins the answer with the log.',
      'The clients of `@innkeep/core` throw it as `CheckoutError` or `MerchantError` with the same `code`.',
    ].join('\n'),
    findings,
  };
}

function coreErrors(model: SourceModel, index: ApiIndex): Group {
  const file = 'packages/core/src/errors.ts';
  const byCode = model.declaration(file, 'InnkeepErrors').children ?? [];
  const findings = byCode.map(({ name, type }) => {
    const className = type?.type === 'reference' ? type.name : '';
    const declaration = model.declaration(file, className);
    if (declaration.kind !== ReflectionKind.Class) throw new Error(`The error of ${name} is no class.`);
    return {
      code: name,
      context: codeLink(className, index.find(declaration) ?? ''),
      comment: summaryText(declaration.comment, index.find),
    };
  });
  return {
    title: 'Errors that core throws',
    intro: 'Thrown by `@innkeep/core` itself. `isInnkeepError(error, code)` of `@innkeep/core/errors` recognizes each.',
    findings,
  };
}

function resourceErrors(): readonly Group[] {
  const union = (file: string, name: string, context: string): readonly Finding[] =>
    commentedParts(file, name).map((part) => ({ code: part.name, context, comment: part.comment }));
  return [
    {
      title: 'Errors of a session',
      intro:
        'The `error.code` of a checkout session that is `failed`, `canceled` or `unknown`. A guest sees the code alone.',
      findings: union('packages/core/src/checkout/view.ts', 'CheckoutErrorCode', 'A session’s `error.code`'),
    },
    {
      title: 'Errors of a charge or a reversal',
      intro: [
        'The `error.code` of a charge or a reversal that did not succeed. Where a call was proven not to have been executed it can',
        'also be the code of the reason, one of those that core throws.',
      ].join('\n'),
      findings: union(
        'packages/core/src/merchant/resources.ts',
        'MoneyOperationErrorCode',
        'The `error.code` of a charge or a reversal',
      ),
    },
  ];
}

function elementErrors(): Group {
  return {
    title: 'Errors of an element',
    intro: 'The `code` of a `pay-error` event. It can also be a code of the proxy or of core.',
    findings: commentedParts('packages/widgets/src/events/pay-events.ts', 'PayErrorCode').map(({ name, comment }) => ({
      code: name,
      context: `${code('pay-error')} of an element`,
      comment,
    })),
  };
}

function commandErrors(): Group {
  return {
    title: 'Errors of the command line',
    intro:
      'The `error.code` that `innkeep … --json` writes to standard error. It can also be a code of the proxy or of core.',
    findings: commentedParts('packages/cli/src/cli-error.ts', 'CliErrorCode').map(({ name, comment }) => ({
      code: name,
      context: 'The `innkeep` command',
      comment,
    })),
  };
}
