import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { createKnownAddresses } from './known-addresses.ts';
import { HostRefused, type HostResolver } from './resolver.ts';
import { parseRetryAfter } from './schedule.ts';
import type { SignedHeaders } from './signature.ts';
import type { AttemptError, Outcome } from './webhook.ts';

/** Makes one try. It never throws: whatever the other side does is an outcome. */
export type Sender = {
  /** Looks the name up ahead of the try, so that the try itself waits for no name server. An outcome: it leads nowhere. */
  prepare(url: string): Promise<Outcome | null>;
  send(url: string, headers: SignedHeaders, body: string): Promise<Outcome>;
  close(): Promise<void>;
};

export type SenderParts = {
  readonly resolver: HostResolver;
  readonly clock: Clock;
  readonly wholeTryMs?: number;
};

const wholeMs = 15_000;
const connectMs = 5_000;
const mostReadBytes = 64 * 1024;
const keptBytes = 1024;

export function createSender({ resolver, clock, wholeTryMs = wholeMs }: SenderParts): Sender {
  const addresses = createKnownAddresses(resolver);
  const agent = new Agent({
    // The socket is given the addresses that were checked, and asks nobody again.
    connect: { lookup: guardedLookup(addresses), timeout: connectMs, autoSelectFamily: true },
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: wholeTryMs,
    bodyTimeout: wholeTryMs,
    maxHeaderSize: 16 * 1024,
  });

  async function attempt(url: string, headers: SignedHeaders, body: string, signal: AbortSignal) {
    const { hostname } = new URL(url);
    // A socket does not look up what is an address already: those are checked here. Names are checked as they are dialled.
    if (isLiteral(hostname)) await resolver.resolve(hostname);
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      body,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Signpost-Webhooks/1' },
    });
    const response = await readSome(answer.body, signal);
    const { statusCode } = answer;
    const retryAfter = answer.headers['retry-after'];
    return {
      responseStatus: statusCode,
      error: statusCode >= 200 && statusCode < 300 ? null : ('status' as const),
      response,
      retryAfterSeconds: parseRetryAfter(
        retryAfter === undefined ? undefined : String(retryAfter),
        clock.now(),
      ),
    };
  }

  return {
    async prepare(url) {
      const { hostname } = new URL(url);
      if (isLiteral(hostname)) return null;
      const [at, start] = [clock.now(), performance.now()];
      const refusal = await addresses.renew(hostname).catch((error: unknown) => failure(error));
      return refusal ? { at, durationMs: Math.round(performance.now() - start), ...refusal } : null;
    },
    async send(url, headers, body) {
      const at = clock.now();
      const start = performance.now();
      const signal = AbortSignal.timeout(wholeTryMs);
      const outcome = await attempt(url, headers, body, signal).catch((error: unknown) =>
        failure(error, signal),
      );
      return { at, durationMs: Math.round(performance.now() - start), ...outcome };
    },
    // What is still under way at the end of the process ends by itself, unheard.
    close: () => agent.destroy(),
  };
}

function guardedLookup(resolver: HostResolver): LookupFunction {
  return (host, options, done) => {
    resolver.resolve(host).then(
      addresses => {
        const [first] = addresses;
        if (options.all) done(null, [...addresses]);
        else done(null, first!.address, first!.family);
      },
      (error: Error) => done(error, '', 0),
    );
  };
}

/** The beginning of the answer. More than the limit is not read: the connection goes, whatever is still to come. */
async function readSome(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < keptBytes) kept.push(chunk.subarray(0, keptBytes - read));
    read += chunk.length;
    if (read >= mostReadBytes) break;
  }
  signal.throwIfAborted();
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '').toWellFormed();
}

export const isLiteral = (hostname: string) => hostname.startsWith('[') || /^[\d.]+$/.test(hostname);

const failure = (error: unknown, signal?: AbortSignal) => ({
  responseStatus: null,
  error: kindOf(error, signal),
  response: '',
  retryAfterSeconds: null,
});

function kindOf(error: unknown, signal?: AbortSignal): AttemptError {
  if (signal?.aborted) return 'timeout';
  const cause = refusalIn(error);
  if (cause) return cause.reason === 'dns_timeout' ? 'dns' : cause.reason;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/.test(code) || code === 'ETIMEDOUT') return 'timeout';
  return /CERT|TLS|SSL|SELF_SIGNED|ERR_TLS|UNABLE_TO_/.test(code) ? 'tls' : 'connection';
}

function refusalIn(error: unknown): HostRefused | null {
  if (error instanceof HostRefused) return error;
  if (error instanceof AggregateError)
    return error.errors.map(refusalIn).find(found => found !== null) ?? null;
  return error instanceof Error && error.cause ? refusalIn(error.cause) : null;
}
