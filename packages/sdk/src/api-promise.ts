/** What a method returned, with the HTTP response that it came in. */
export type WithResponse<Answer> = {
  readonly data: Answer;
  /** For its `headers` and `status`. Its body has been read already, unless `data` is this very response. */
  readonly response: Response;
  /** The request in the logs of the service. Quote it when you ask for help. */
  readonly requestId: string | undefined;
};

/** The promise that every method returns. */
export type ApiPromise<Answer> = Promise<Answer> & {
  /**
   * The same answer together with its HTTP response.
   *
   * @example
   * ```ts
   * const { data, response, requestId } = await signpost.qrcodes.get(id).withResponse();
   * console.log(requestId, response.headers.get('x-ratelimit-remaining'));
   * ```
   */
  withResponse(): Promise<WithResponse<Answer>>;
};

export type Answered = { readonly data: unknown; readonly response: Response };

export function apiPromiseOf(answered: Promise<Answered>): ApiPromise<unknown> {
  const data = answered.then(one => one.data);
  return Object.assign(data, {
    async withResponse() {
      // Nobody waits for the plain answer now: its failure is that of the promise which is returned here.
      data.catch(() => undefined);
      const { data: answer, response } = await answered;
      return { data: answer, response, requestId: response.headers.get('x-request-id') ?? undefined };
    },
  });
}
