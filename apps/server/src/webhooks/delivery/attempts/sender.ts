import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../../../kernel/clock.ts';
import { HostRefused, type HostResolver } from '../../resolver.ts';
import type { AttemptError, AttemptResult } from '../../webhook.ts';
import { createAddressCache } from './address-cache.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import type { SignedHeaders } from './signature.ts';

/** Sends one attempt. It never throws: whatever the receiver does is a result. */
export type Sender = {
  /** Looks the name up in advance, so that the attempt needs no name server. A result where the name cannot be dialled. */
  prepare(url: string): Promise<AttemptResult | null>;
  send(url: string, headers: SignedHeaders, body: string): Promise<AttemptResult>;
  close(): Promise<void>;
};

export type SenderParts = {
  readonly resolver: HostResolver;
  readonly clock: Clock;
  readonly attemptTimeoutMs?: number;
};

const defaultTimeoutMs = 15_000;
const connectMs = 5_000;
const maxReadBytes = 64 * 1024;
const loggedBytes = 1024;

export function createSender({ resolver, clock, attemptTimeoutMs = defaultTimeoutMs }: SenderParts): Sender {
  const addresses = createAddressCache(resolver);
  const agent = new Agent({
    // The socket gets the addresses that were checked, and looks nothing up itself.
    connect: { lookup: guardedLookup(addresses), timeout: connectMs, autoSelectFamily: true },
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: attemptTimeoutMs,
    bodyTimeout: attemptTimeoutMs,
    maxHeaderSize: 16 * 1024,
  });

  async function attempt(url: string, headers: SignedHeaders, body: string, signal: AbortSignal) {
    const { hostname } = new URL(url);
    // A socket looks up names only. They are checked as they are dialled; addresses are checked here.
    if (isLiteral(hostname)) await resolver.resolve(hostname);
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      body,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Signpost-Webhooks/1' },
    });
    const response = await readBeginning(answer.body, signal);
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
      const refusal = await addresses.refresh(hostname).catch((error: unknown) => failure(error));
      return refusal ? { at, durationMs: Math.round(performance.now() - start), ...refusal } : null;
    },
    async send(url, headers, body) {
      const at = clock.now();
      const start = performance.now();
      const signal = AbortSignal.timeout(attemptTimeoutMs);
      const result = await attempt(url, headers, body, signal).catch((error: unknown) =>
        failure(error, signal),
      );
      return { at, durationMs: Math.round(performance.now() - start), ...result };
    },
    // Attempts that are still in flight when the process ends are cut off.
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

/** The beginning of the response. Past the limit the connection is closed, however much is still to come. */
async function readBeginning(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < loggedBytes) kept.push(chunk.subarray(0, loggedBytes - read));
    read += chunk.length;
    if (read >= maxReadBytes) break;
  }
  signal.throwIfAborted();
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '').toWellFormed();
}

const isLiteral = (hostname: string) => hostname.startsWith('[') || /^[\d.]+$/.test(hostname);

const failure = (error: unknown, signal?: AbortSignal) => ({
  responseStatus: null,
  error: classifyError(error, signal),
  response: '',
  retryAfterSeconds: null,
});

function classifyError(error: unknown, signal?: AbortSignal): AttemptError {
  if (signal?.aborted) return 'timeout';
  const cause = findRefusal(error);
  if (cause) return cause.reason === 'dns_timeout' ? 'dns' : cause.reason;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/.test(code) || code === 'ETIMEDOUT') return 'timeout';
  return /CERT|TLS|SSL|SELF_SIGNED|ERR_TLS|UNABLE_TO_/.test(code) ? 'tls' : 'connection';
}

function findRefusal(error: unknown): HostRefused | null {
  if (error instanceof HostRefused) return error;
  if (error instanceof AggregateError)
    return error.errors.map(findRefusal).find(found => found !== null) ?? null;
  return error instanceof Error && error.cause ? findRefusal(error.cause) : null;
}
