import { expect, test } from 'vitest';
import { userAgentOf } from './user-agent.ts';

test.each([
  [{ process: { versions: { node: '24.21.0' } } }, 'node/24.21.0'],
  [{ process: { versions: { node: '24.3.0', bun: '1.4.4' } } }, 'bun/1.4.4'],
  [
    { process: { versions: { node: '24.3.0', deno: '2.9.6' } }, navigator: { userAgent: 'Deno/2.9.6' } },
    'deno/2.9.6',
  ],
  [{ navigator: { userAgent: 'Cloudflare-Workers' } }, 'workerd'],
])('%j names itself and the SDK', (platform, runtime) => {
  expect(userAgentOf(platform)).toMatch(/^signpost-sdk\/\d+\.\d+\.\d+ /);
  expect(userAgentOf(platform)?.split(' ')[1]).toBe(runtime);
});

test.each([
  ['a page', { document: {}, navigator: { userAgent: 'Mozilla/5.0' } }],
  ['a worker of a page', { navigator: { userAgent: 'Mozilla/5.0' } }],
  ['a page of Electron', { document: {}, process: { versions: { node: '24.0.0' } } }],
])('%s keeps the User-Agent of its browser', (_, platform) => {
  expect(userAgentOf(platform)).toBeUndefined();
});
