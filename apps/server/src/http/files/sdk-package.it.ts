import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const sdkPackage = join(mkdtempSync(join(tmpdir(), 'signpost-sdk-')), 'sdk.tgz');
const path = '/docs/sdk.tgz';

describe('the SDK as a package', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi({}, { sdkPackage });
  });
  afterAll(() => api.close());

  test('before the build is not there, and the answer says what to run', async () => {
    const { status, headers, body } = await api.call({ url: path });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(body.error.message).toContain('npm run build');
    expect(headers.etag).toBeUndefined();
  });

  test('is the built file, for everybody, and is not compressed again', async () => {
    writeFileSync(sdkPackage, gzipSync('one'));
    const { statusCode, headers, rawPayload } = await api.api.app.inject({
      url: path,
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(statusCode).toBe(200);
    expect(rawPayload).toEqual(gzipSync('one'));
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, no-cache',
      'content-disposition': 'attachment; filename="sdk.tgz"',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('is sent again only after it has changed', async () => {
    const first = await api.call({ url: path });
    const known = { 'if-none-match': first.headers.etag! };
    expect((await api.call({ url: path, headers: known })).status).toBe(304);
    writeFileSync(sdkPackage, gzipSync('two'));
    const second = await api.call({ url: path, headers: known });
    expect(second.status).toBe(200);
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  test('is known by its length and ETag without its content', async () => {
    const { status, headers, text } = await api.call({ method: 'HEAD', url: path });
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-length']).toBe(String(gzipSync('two').length));
  });
});
