/** The example that the contract has of an answer, with other fields. */
export function example<Answer>(
  schema: { readonly '~types'?: { readonly output: Answer } | undefined },
  fields: Partial<Answer> = {},
): Answer {
  // Where the contract's `component` puts it.
  const { pipe } = schema as {
    readonly pipe: readonly { readonly metadata?: { readonly examples: readonly Answer[] } }[];
  };
  return { ...pipe.at(-1)?.metadata?.examples[0], ...fields } as Answer;
}
