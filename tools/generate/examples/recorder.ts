import { type ErrorCode, type Operation, operations } from '@signpost/contract';

export type PublicOperationId = keyof typeof operations;

/** What is sent: only the parts that matter to a reader. */
export type Request = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text that is sent as it is. */
  readonly body?: unknown;
};

/** A request and its answer as they were, with the time at which the answer was there. */
export type Exchange = Request & {
  readonly operation: PublicOperationId | null;
  readonly status: number;
  readonly contentType: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly response: any;
  readonly answeredMs: number;
};

/** A moment of the story: when it really began, and when readers are told that it was. */
export type Step = { readonly startMs: number; readonly shownMs: number };

/** Calls operations of a server, and keeps what is to be shown. */
export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(serverUrl: string) {
  const steps: Step[] = [];
  const examples: Exchange[] = [];
  const refusals: Exchange[] = [];

  async function send(
    method: string,
    path: string,
    key: string | null,
    { query = {}, headers = {}, body, ...rest }: Request,
    operation: PublicOperationId | null,
  ): Promise<Exchange> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.append(name, String(value));
    const answer = await fetch(`${serverUrl}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const contentType = (answer.headers.get('content-type') ?? '').split(';')[0]!;
    return {
      ...rest,
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(body === undefined ? {} : { body }),
      operation,
      status: answer.status,
      contentType,
      response: contentType === 'application/json' ? JSON.parse(text) : text,
      answeredMs: Date.now(),
    };
  }

  async function call(id: PublicOperationId, key: string | null, request: Request): Promise<Exchange> {
    const { method, path }: Operation = operations[id];
    return await send(method, withParams(path, request.params ?? {}), key, request, id);
  }

  return {
    steps,
    examples,
    refusals,

    /** Begins a step. Whatever happens from now on is shown as having happened at this time. */
    at(shown: string): void {
      steps.push({ startMs: Date.now(), shownMs: Date.parse(shown) });
    },

    /** A call that succeeds and is not shown. */
    async ask(id: PublicOperationId, key: string, request: Request = {}): Promise<Exchange['response']> {
      const exchange = await call(id, key, request);
      expectStatus(exchange, operations[id].success.status);
      return exchange.response;
    },

    /** A call that succeeds and is the example of its operation, or of another of its media types. */
    async show(
      id: PublicOperationId,
      key: string | null,
      request: Request = {},
    ): Promise<Exchange['response']> {
      const exchange = await call(id, key, request);
      expectStatus(exchange, operations[id].success.status);
      examples.push(exchange);
      return exchange.response;
    },

    /** A call of an operation that is refused with this code. */
    async refuse(code: ErrorCode, id: PublicOperationId, key: string | null, request: Request = {}) {
      refusals.push(refusedWith(code, await call(id, key, request)));
    },

    /** The same for a person who is signed in. The cookie is not shown. */
    async refusePerson(code: ErrorCode, method: 'GET' | 'POST', path: string, headers: Headers) {
      const sent = { headers: Object.fromEntries(headers), ...(method === 'POST' ? { body: {} } : {}) };
      const { headers: _secret, ...exchange } = await send(method, path, null, sent, null);
      refusals.push(refusedWith(code, exchange));
    },

    /** The same for a path that is no operation. */
    async refusePath(code: ErrorCode, method: string, path: string, key: string | null) {
      refusals.push(refusedWith(code, await send(method, path, key, {}, null)));
    },
  };
}

const withParams = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));

function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.status !== status)
    throw new Error(`${exchange.operation}: ${exchange.status} ${JSON.stringify(exchange.response)}`);
}

function refusedWith(code: ErrorCode, exchange: Exchange): Exchange {
  if (exchange.response?.error?.code === code) return exchange;
  throw new Error(
    `${exchange.operation} should refuse with ${code}: ${exchange.status} ${JSON.stringify(exchange.response)}`,
  );
}
