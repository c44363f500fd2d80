import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { describeSettings } from './describe.ts';
import { type Setting, settings } from './settings.ts';

const required = {
  DATABASE_URL: 'postgres://db/signpost',
  REDIS_URL: 'redis://cache',
  NATS_URL: 'nats://bus',
  CLICKHOUSE_URL: 'http://columns',
};

test('every setting but the secrets has a default', () => {
  const config = readConfig(required);
  expect(config).toMatchObject({ apiPort: 8080, metricsPort: 9464, trustedProxies: [], logLevel: 'info' });
  for (const setting of Object.values<Setting>(settings)) {
    // An optional secret is empty by default.
    if (setting.secret) expect(setting.default || undefined, setting.name).toBeUndefined();
    else expect('default' in setting, setting.name).toBe(true);
  }
});

test('addresses follow the public address unless they are set', () => {
  expect(readConfig({ ...required, PUBLIC_URL: 'https://api.example/' })).toMatchObject({
    publicUrl: 'https://api.example',
    shortBaseUrl: 'https://api.example',
    imageBaseUrl: 'https://api.example/images',
  });
  expect(readConfig({ ...required, SHORT_BASE_URL: 'https://q.example' }).shortBaseUrl).toBe(
    'https://q.example',
  );
});

test('one error names every setting that is missing or wrong', () => {
  const bad = {
    API_PORT: '99999',
    PUBLIC_URL: 'ftp://x',
    TRUSTED_PROXIES: '10.0.0.0/99',
    LOG_LEVEL: 'loud',
    DATABASE_POOL_SIZE: '0',
  };
  const names = ['DATABASE_URL', ...Object.keys(bad)];
  for (const name of names) expect(() => readConfig(bad)).toThrow(name);
});

test('a secret may come from a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-')), 'secret');
  writeFileSync(file, 'postgres://from-file/signpost\n');
  const config = readConfig({ ...required, DATABASE_URL: '', DATABASE_URL_FILE: file });
  expect(config.databaseUrl).toBe('postgres://from-file/signpost');
});

test('the reference names every setting with its description and default', () => {
  for (const form of ['text', 'markdown'] as const) {
    const reference = describeSettings(form);
    for (const setting of Object.values<Setting>(settings)) {
      expect(reference).toContain(setting.name);
      expect(reference).toContain(setting.description);
    }
  }
});

test('a key that encrypts the secrets of webhooks is 32 bytes in base64, and there may be several', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const { webhookSecretKeys } = readConfig({ ...required, WEBHOOK_SECRET_KEYS: `${key}, ${key}` });
  expect(webhookSecretKeys.map(({ length }) => length)).toEqual([32, 32]);
  expect(() => readConfig({ ...required, WEBHOOK_SECRET_KEYS: `${key},short` })).toThrow(
    'key 2 is not 32 bytes',
  );
});

test('an e-mail address has to be confirmed if sign-up is open and mail is set up', () => {
  const mail = { SMTP_URL: 'smtp://mail.example' };
  const isOn = (env: Record<string, string>) => readConfig({ ...required, ...env }).requireVerifiedEmail;
  expect(isOn({})).toBe(false);
  expect(isOn({ SIGN_UP: 'open' })).toBe(false);
  expect(isOn(mail)).toBe(false);
  expect(isOn({ ...mail, SIGN_UP: 'open' })).toBe(true);
  expect(isOn({ ...mail, SIGN_UP: 'open', REQUIRE_VERIFIED_EMAIL: 'off' })).toBe(false);
  expect(isOn({ ...mail, REQUIRE_VERIFIED_EMAIL: 'on' })).toBe(true);
  expect(() => isOn({ SIGN_UP: 'open', REQUIRE_VERIFIED_EMAIL: 'on' })).toThrow(
    /REQUIRE_VERIFIED_EMAIL: is on, but no mail is set up: set SMTP_URL as well, or turn it off/,
  );
  expect(() => isOn({ REQUIRE_VERIFIED_EMAIL: 'maybe' })).toThrow(/neither on nor off/);
});

test('the codes that a new account creates in a day are unlimited by default', () => {
  expect(readConfig(required).newAccountCodesPerDay).toBeNull();
  expect(readConfig({ ...required, NEW_ACCOUNT_CODES_PER_DAY: '50' }).newAccountCodesPerDay).toBe(50);
  expect(() => readConfig({ ...required, NEW_ACCOUNT_CODES_PER_DAY: '0' })).toThrow(
    /whole number of at least 1/,
  );
});

test('the abuse contact is an e-mail address or an https page, on one line', () => {
  const read = (ABUSE_CONTACT: string) => readConfig({ ...required, ABUSE_CONTACT }).abuseContact;
  for (const good of ['abuse@example.com', 'https://example.com/abuse?x=1']) expect(read(good)).toBe(good);
  expect(readConfig(required).abuseContact).toBe('');
  for (const bad of ['abuse', 'mailto:abuse@example.com', 'http://example.com', 'a@b.example\nExpires: x'])
    expect(() => read(bad)).toThrow('ABUSE_CONTACT');
});

test('headers for the collector are key=value pairs separated by commas, with percent-encoded values', () => {
  const read = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    readConfig({ ...required, OTEL_EXPORTER_OTLP_HEADERS }).traceHeaders;
  expect(readConfig(required).traceHeaders).toEqual({});
  expect(read(' authorization=Bearer%20a%2Cb%3D , X-Team = a=b,empty=')).toEqual({
    authorization: 'Bearer a,b=',
    'x-team': 'a=b',
    empty: '',
  });
  for (const bad of ['secret', '=secret', 'a=%secret', 'a b=secret', 'a=x%0Asecret', 'ok=1,secret']) {
    expect(() => read(bad)).toThrow(/OTEL_EXPORTER_OTLP_HEADERS: header [12] is not written as key=value/);
    expect(() => read(bad)).not.toThrow(/secret/);
  }
});

test('a number out of its range is refused with the range', () => {
  const read = (env: Record<string, string>) => () => readConfig({ ...required, ...env });
  expect(read({ SCAN_LOG_DAYS: '8' })).toThrow('"8" is not a whole number from 1 to 7');
  expect(read({ WEBHOOK_CONCURRENCY: '9' })).toThrow('"9" is not a whole number of at least 10');
  expect(read({ DATABASE_POOL_SIZE: '1e3' })).toThrow('"1e3" is not a whole number of at least 1');
});
