import { expect, test } from 'vitest';
import { createClientAddress } from '../../kernel/addresses/client-address.ts';
import { createLogger } from '../../platform/logger.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createApp } from '../app.ts';

const newApp = () =>
  createApp({
    clientAddress: createClientAddress([]),
    nextRequestId: () => 'req_test',
    logger: createLogger('fatal', 'test'),
    metrics: createMetrics('test'),
    publicUrl: 'https://api.signpost.example',
  });

const handler = async () => ({});

test('a route without an authScheme cannot be added, and the error names it', () => {
  const app = newApp();
  expect(() => app.get('/v1/secrets', handler)).toThrow(
    'The route GET /v1/secrets declares no authScheme. Add one to its config. Routes under /v1 declare apiKey or anonymous.',
  );
  expect(() => app.post('/anywhere', { config: {} as never }, handler)).toThrow('The route POST /anywhere');
});

test('a route without an authScheme inside a plugin makes the app fail before it listens', async () => {
  const app = newApp();
  app.register(async scope => {
    scope.get('/hidden', handler);
  });
  await expect(app.ready()).rejects.toThrow('The route GET /hidden declares no authScheme.');
});

test.each([
  ['/v1/open', 'open', 'apiKey or anonymous'],
  ['/v1/by-session', 'session', 'apiKey or anonymous'],
  ['/account/operator/any', 'session', 'operatorSession'],
  ['/account/any', 'open', 'session or anonymousSameSite'],
  ['/auth/any', 'apiKey', 'session or anonymousSameSite'],
  ['/page', 'apiKey', 'open'],
] as const)('%s cannot declare %s', (url, authScheme, allowed) => {
  expect(() => newApp().get(url, { config: { authScheme } }, handler)).toThrow(
    new RegExp(`^The route GET ${url} declares the authScheme ${authScheme}, .* declare ${allowed}\\.$`),
  );
});

test('a scheme that no feature authenticates makes the app fail before it listens', async () => {
  const app = newApp();
  app.get('/v1/any', { config: { authScheme: 'apiKey', permission: 'account:read' } }, handler);
  await expect(app.ready()).rejects.toThrow('No feature authenticates callers by apiKey.');
});
