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

test.each([
  ['/v1/any', 'apiKey'],
  ['/account/any', 'session'],
] as const)(
  'a route %s by %s without a permission makes the app fail before it listens',
  async (url, authScheme) => {
    const app = newApp();
    app.register(async scope => {
      scope.get(url, { config: { authScheme } }, handler);
    });
    await expect(app.ready()).rejects.toThrow(`The route GET ${url} declares no permission.`);
  },
);
