/** What no desk sees, whichever route it calls: the one place where it is taken out of answers. */

/** By the name of a field: what stands in its place, or undefined where nothing does. */
const HIDDEN: Readonly<Record<string, unknown>> = {
  token: undefined,
  tokenObjectId: null,
  clientSecret: undefined,
  metadata: {},
  returnUrl: null,
};

/** An answer without tokens of cards, client secrets of guests, and what is between the hotel's own systems. */
export async function hiddenFromDesk(answer: Response): Promise<Response> {
  if (answer.headers.get('content-type')?.startsWith('application/json') !== true) return answer;
  const shown: unknown = JSON.parse(await answer.text(), (name, value: unknown) =>
    Object.hasOwn(HIDDEN, name) ? HIDDEN[name] : value,
  );
  return new Response(JSON.stringify(shown), answer);
}
