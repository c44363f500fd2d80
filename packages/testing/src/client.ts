import { Agent, request } from 'node:http';

export type Answer = {
  readonly status: number;
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
  readonly ms: number;
};

export type Ask = {
  readonly method?: string;
  readonly url: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly timeoutMs?: number;
};

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One HTTP request to a server on this machine. Rejects when no complete response arrives. */
export function ask({
  method = 'GET',
  url,
  key,
  body,
  headers = {},
  timeoutMs = 60_000,
}: Ask): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            body: text.startsWith('{') ? JSON.parse(text) : text,
            ms: performance.now() - start,
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** Runs `work` for each of 0 … count - 1 with limited concurrency. */
export async function inParallel<Result>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(count);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      for (let index = next++; index < count; index = next++) results[index] = await work(index);
    }),
  );
  return results;
}
