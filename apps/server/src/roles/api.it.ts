import { createTestApi, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthScheme } from '../http/access/authentication.ts';
import type { DeclaredRoute } from '../http/app.ts';

let api: TestApi;
let key: string;
let session: string;

beforeAll(async () => {
  api = await createTestApi({ ...roomyWebhooks, ...dashboardEnv });
  key = (await api.account()).live;
  const { cookies } = await signUp(api);
  session = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
});
afterAll(() => api.close());

const fromOurPages = { 'sec-fetch-site': 'same-origin' };

/** Calls a route with a key, with a session, or with neither. */
async function callRoute({ method, url }: DeclaredRoute, by?: 'key' | 'session') {
  const path = url.replace(/:\w+/g, 'unknown').replace('*', 'unknown');
  const response = await api.api.app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...fromOurPages,
      ...(by === 'key' ? { authorization: `Bearer ${key}` } : {}),
      ...(by === 'session' ? { cookie: session } : {}),
    },
  });
  return { status: response.statusCode, headers: response.headers };
}

const routesBy = (...schemes: readonly AuthScheme[]) =>
  api.api.app.declaredRoutes.filter(({ authScheme }) => schemes.includes(authScheme));

const nameOf = ({ method, url }: DeclaredRoute) => `${method} ${url}`;

/** The routes whose answer is not the expected one. */
async function breaches(
  routes: readonly DeclaredRoute[],
  isExpected: (answer: Awaited<ReturnType<typeof callRoute>>) => boolean,
  by?: 'key' | 'session',
): Promise<string[]> {
  const found: string[] = [];
  for (const route of routes) {
    const answer = await callRoute(route, by);
    if (!isExpected(answer)) found.push(`${nameOf(route)}: ${answer.status}`);
  }
  return found;
}

describe('the scheme that a route declares is the one that is enforced', () => {
  test('every scheme is used, and every route of the app is walked', () => {
    const walked = routesBy('apiKey', 'session', 'operatorSession', 'anonymous', 'anonymousSameSite', 'open');
    expect(walked).toHaveLength(api.api.app.declaredRoutes.length);
    expect(new Set(walked.map(({ authScheme }) => authScheme)).size).toBe(6);
    expect(walked.length).toBeGreaterThan(100);
  });

  test('without credentials every other route than the anonymous and open ones answers 401', async () => {
    const closed = routesBy('apiKey', 'session', 'operatorSession');
    expect(await breaches(closed, ({ status }) => status === 401)).toEqual([]);
  });

  test('a session opens no route for keys, and a key none for sessions', async () => {
    expect(await breaches(routesBy('apiKey'), ({ status }) => status === 401, 'session')).toEqual([]);
    expect(
      await breaches(routesBy('session', 'operatorSession'), ({ status }) => status === 401, 'key'),
    ).toEqual([]);
  });

  test('the session of somebody who is no operator gets 403 for what operators do', async () => {
    expect(await breaches(routesBy('operatorSession'), ({ status }) => status === 403, 'session')).toEqual(
      [],
    );
  });

  test('anonymous routes answer without credentials, and count the call', async () => {
    const counted = await breaches(
      routesBy('anonymous', 'anonymousSameSite'),
      ({ status, headers }) => status !== 401 && headers['x-ratelimit-limit'] !== undefined,
    );
    expect(counted).toEqual([]);
  });

  test('open routes answer without credentials, and count nothing', async () => {
    const open = await breaches(
      routesBy('open'),
      ({ status, headers }) => status !== 401 && headers['x-ratelimit-limit'] === undefined,
    );
    expect(open).toEqual([]);
  });
});

test('what people do before they sign in is refused from pages of other sites', async () => {
  for (const { method, url } of routesBy('anonymousSameSite').filter(route => route.method === 'POST')) {
    const { status } = await api.call({
      method: method as 'POST',
      url,
      body: {},
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([url, status]).toEqual([url, 403]);
  }
});

test('without a dashboard no route for sessions lets anybody in', async () => {
  const programsOnly = await createTestApi();
  const { declaredRoutes } = programsOnly.api.app;
  expect(declaredRoutes.filter(({ authScheme }) => authScheme === 'anonymousSameSite')).toEqual([]);
  const urls = new Set(
    declaredRoutes.filter(({ authScheme }) => authScheme === 'session').map(({ url }) => url),
  );
  expect([...urls]).toEqual(['/auth/*', '/account/*']);
  for (const url of ['/auth/sign-in', '/account/me', '/account/operator/reports', '/account/v1/qrcodes'])
    expect((await programsOnly.call({ url })).status).toBe(503);
  await programsOnly.close();
});

test('an open live view ends when the API closes, and does not delay it', async () => {
  const closing = await createTestApi(dashboardEnv);
  const { cookies } = await signUp(closing);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const address = await closing.api.app.listen({ host: '127.0.0.1', port: 0 });
  const view = await fetch(`${address}/account/live`, { headers: { cookie } });
  expect(view.status).toBe(200);
  const ended = view.text();
  expect(await closing.close()).toEqual([]);
  expect(await ended).toContain('event: ready');
});
