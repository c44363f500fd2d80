import { describe, expect, test, vi } from 'vitest';
import { clientWith, json, refusal } from '../test/support/fake-fetch.ts';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  QuotaExceededError,
  RateLimitError,
  type RequestOptions,
  ServerError,
  SignpostError,
  TimeoutError,
} from './index.ts';

const menu = { name: 'Menu', destination_url: 'https://example.com' };
const lost = () => new TypeError('fetch failed');
const noWait = { maxRetryDelayMs: 0 };
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it passed'),
    error => error,
  );

/** Answers only when the time is over. */
const never = ({ init }: { init: RequestInit }) =>
  new Promise<Response>((_, reject) => {
    init.signal!.addEventListener('abort', () => reject(init.signal!.reason));
  });

describe('an error', () => {
  test.each([
    [400, 'invalid_url', InvalidRequestError],
    [401, 'unauthorized', AuthenticationError],
    [403, 'plan_required', PermissionError],
    [403, 'quota_exceeded', QuotaExceededError],
    [404, 'not_found', NotFoundError],
    [409, 'short_code_taken', ConflictError],
    [410, 'gone', NotFoundError],
    [412, 'precondition_failed', PreconditionFailedError],
    [413, 'payload_too_large', InvalidRequestError],
    [422, 'idempotency_key_reused', InvalidRequestError],
    [429, 'rate_limit_exceeded', RateLimitError],
    [500, 'internal_error', ServerError],
    [503, 'unavailable', ServerError],
  ])('%i %s has its class', async (status, code, Kind) => {
    const { signpost } = clientWith([refusal(status, code, { 'retry-after': '7' })], { maxRetries: 0 });
    const error = await caught(signpost.qrcodes.create(menu));
    expect(error).toBeInstanceOf(Kind);
    expect(error).toBeInstanceOf(SignpostError);
    expect(error).toMatchObject({
      name: Kind.name,
      status,
      code,
      message: `It is ${code}`,
      requestId: 'req_1',
    });
  });

  test('carries what the service said besides', async () => {
    const { signpost } = clientWith([
      refusal(400, 'invalid_request', {}, { param: 'name' }),
      refusal(403, 'quota_exceeded', {}, { limit: 50, used: 50 }),
    ]);
    expect(await caught(signpost.qrcodes.create(menu))).toMatchObject({ param: 'name', docUrl: 'https://x' });
    expect(await caught(signpost.qrcodes.create(menu))).toMatchObject({ limit: 50, used: 50 });
  });

  test('has everything that is wrong in errors, or itself where the service named one thing', async () => {
    const errors = [
      { code: 'invalid_request', message: 'name is required.', param: 'name' },
      { code: 'invalid_url', message: 'destination_url must be a URL.', param: 'destination_url' },
    ];
    const { signpost } = clientWith(
      [
        refusal(400, 'invalid_request', {}, { param: 'name', errors }),
        refusal(409, 'short_code_taken', {}, { param: 'short_code' }),
        new Response('', { status: 502 }),
      ],
      { maxRetries: 0 },
    );
    expect((await caught(signpost.qrcodes.create(menu))).errors).toEqual(errors);
    expect((await caught(signpost.qrcodes.create(menu))).errors).toEqual([
      { code: 'short_code_taken', message: 'It is short_code_taken', param: 'short_code' },
    ]);
    expect((await caught(signpost.qrcodes.create(menu))).errors).toEqual([]);
  });

  test('of a proxy on the way has no code, but its status and request id', async () => {
    const html = new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'x-request-id': 'r' } });
    const { signpost } = clientWith([html], { maxRetries: 0 });
    const error = await caught(signpost.openapi.get());
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({
      status: 502,
      code: undefined,
      requestId: 'r',
      message: 'The server answered 502',
    });
  });

  test('of an answer that is no JSON says what to look at', async () => {
    const { signpost } = clientWith([new Response('<h1>Welcome</h1>')]);
    const error = await caught(signpost.openapi.get());
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain('baseUrl');
  });

  test('of the network keeps its cause', async () => {
    const cause = lost();
    const { signpost } = clientWith([cause], { maxRetries: 0 });
    const error = await caught(signpost.openapi.get());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.cause).toBe(cause);
  });
});

describe('a retry', () => {
  test.each([
    ['a lost connection', lost],
    ['500', () => refusal(500, 'internal_error')],
    ['503', () => refusal(503, 'unavailable')],
    ['a first try that still runs', () => refusal(409, 'idempotency_in_progress')],
    ['429', () => refusal(429, 'rate_limit_exceeded')],
  ])('of a POST after %s has the same key and body', async (_, failure) => {
    const { signpost, sent } = clientWith([failure(), failure(), json(201, { id: 'qr_1' })], noWait);
    expect(await signpost.qrcodes.create(menu)).toEqual({ id: 'qr_1' });
    const keys = sent.map(one => one.headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(sent.map(one => one.init.body)).size).toBe(1);
  });

  test('two calls have two keys; one that is given is used', async () => {
    const { signpost, sent } = clientWith([json(201, {}), json(201, {}), json(201, {})]);
    await signpost.qrcodes.create(menu);
    await signpost.qrcodes.create(menu);
    await signpost.qrcodes.create(menu, { idempotencyKey: 'order-1' });
    const [one, two, three] = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(one).not.toBe(two);
    expect(three).toBe('order-1');
  });

  test.each([
    ['a lost connection', lost],
    ['500', () => refusal(500, 'internal_error')],
  ])('of PATCH and DELETE is not made after %s', async (_, failure) => {
    const { signpost, sent } = clientWith([failure(), failure()], noWait);
    await caught(signpost.qrcodes.update('qr_1', { active: false }));
    await caught(signpost.qrcodes.delete('qr_1'));
    expect(sent.map(one => one.init.method)).toEqual(['PATCH', 'DELETE']);
  });

  test('of a PUT is made after a lost connection, unless it has a condition that it may have made false itself', async () => {
    const upsert = (options: RequestOptions) => {
      const { signpost, sent } = clientWith([lost(), json(200, {})], noWait);
      const done = signpost.qrcodes.upsert('ext:1', menu, options).then(
        () => 'done',
        () => 'failed',
      );
      return done.then(outcome => [outcome, sent.length]);
    };
    expect(await upsert({})).toEqual(['done', 2]);
    expect(await upsert({ ifMatch: 3 })).toEqual(['failed', 1]);
    expect(await upsert({ ifNoneMatch: '*' })).toEqual(['failed', 1]);
  });

  test('of PATCH and DELETE is made after 429, which is said before anything is done', async () => {
    const limited = () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '0' });
    const { signpost, sent } = clientWith([limited(), json(200, {}), limited(), json(200, {})]);
    await signpost.qrcodes.update('qr_1', { active: false });
    await signpost.qrcodes.delete('qr_1');
    expect(sent).toHaveLength(4);
  });

  test('is not made of what stays wrong', async () => {
    const { signpost, sent } = clientWith([refusal(404, 'not_found'), refusal(409, 'short_code_taken')]);
    await caught(signpost.qrcodes.get('qr_1'));
    await caught(signpost.qrcodes.create(menu));
    expect(sent).toHaveLength(2);
  });

  test('ends after so many, with the last error', async () => {
    const { signpost, sent } = clientWith([lost(), lost(), refusal(503, 'unavailable')], noWait);
    expect(await caught(signpost.openapi.get())).toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(3);
  });

  test('waits as long as Retry-After says', async () => {
    vi.useFakeTimers();
    const { signpost, sent } = clientWith([
      refusal(429, 'rate_limit_exceeded', { 'retry-after': '17' }),
      json(200, {}),
    ]);
    const call = signpost.openapi.get();
    await vi.advanceTimersByTimeAsync(16_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual({});
    vi.useRealTimers();
  });

  test('is announced to onRetry, with its reason and its delay', async () => {
    const onRetry = vi.fn();
    const { signpost } = clientWith(
      [lost(), refusal(503, 'unavailable', { 'retry-after': '0' }), json(200, {})],
      {
        ...noWait,
        onRetry,
      },
    );
    await signpost.openapi.get();
    const request = { method: 'GET', url: 'https://qr.example/v1/openapi.json', delayMs: 0 };
    expect(onRetry.mock.calls).toEqual([
      [{ ...request, attempt: 1, error: expect.any(ConnectionError) }],
      [{ ...request, attempt: 2, error: expect.objectContaining({ status: 503 }) }],
    ]);
  });

  test('is not announced where there is none, and does not happen when onRetry throws', async () => {
    const stop = new Error('enough');
    const onRetry = vi.fn(() => {
      throw stop;
    });
    const { signpost, sent } = clientWith([refusal(404, 'not_found'), lost()], { ...noWait, onRetry });
    await caught(signpost.qrcodes.get('qr_1'));
    expect(onRetry).not.toHaveBeenCalled();
    expect(await caught(signpost.openapi.get())).toBe(stop);
    expect(sent).toHaveLength(2);
  });

  test('is left to the caller where Retry-After is too long', async () => {
    const { signpost, sent } = clientWith([refusal(429, 'rate_limit_exceeded', { 'retry-after': '61' })]);
    expect(await caught(signpost.openapi.get())).toMatchObject({ retryAfterSeconds: 61 });
    expect(sent).toHaveLength(1);
  });
});

describe('a time limit', () => {
  test('ends each try by itself', async () => {
    const { signpost, sent } = clientWith([never, never], { timeoutMs: 20, maxRetries: 1, ...noWait });
    expect(await caught(signpost.openapi.get())).toBeInstanceOf(TimeoutError);
    expect(sent).toHaveLength(2);
  });

  test('holds for the body too', async () => {
    const slow = async ({ init }: { init: RequestInit }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            init.signal!.addEventListener('abort', () => controller.error(init.signal!.reason));
          },
        }),
      );
    const { signpost } = clientWith([slow], { timeoutMs: 20, maxRetries: 0 });
    expect(await caught(signpost.openapi.get())).toBeInstanceOf(TimeoutError);
  });

  test('a signal ends the call at once, also in the wait for a retry, with its reason', async () => {
    const ending = new AbortController();
    const { signpost, sent } = clientWith([refusal(429, 'rate_limit_exceeded', { 'retry-after': '50' })]);
    const call = caught(signpost.openapi.get({ signal: ending.signal }));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const reason = new Error('the user has left');
    ending.abort(reason);
    expect(await call).toBe(reason);
    expect(await caught(signpost.openapi.get({ signal: ending.signal }))).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  test('a signal ends a try that is under way', async () => {
    const { signpost } = clientWith([never]);
    const error = await caught(signpost.openapi.get({ signal: AbortSignal.timeout(20) }));
    expect(error.name).toBe('TimeoutError');
    expect(error).not.toBeInstanceOf(SignpostError);
  });
});
