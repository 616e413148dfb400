/** A request as {@link recordedFetch} saw it, without the origin that all of them go to. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: RequestRedirect;
}

export type Answers = readonly (() => Response | Promise<Response>)[];

/** A fetch that answers from a list, one answer per request; the last one repeats. */
export function recordedFetch(origin: string, answers: Answers): { fetch: typeof fetch; requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { method, url, headers, redirect } = request;
      requests.push({ method, path: url.replace(origin, ''), headers, body: await request.text(), redirect });
      const answer = answers[requests.length - 1] ?? answers.at(-1);
      return answer?.() ?? new Response(null, { status: 500 });
    },
  };
}
