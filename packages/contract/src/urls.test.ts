import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { DestinationUrl, WebhookUrl } from './urls.ts';

const ajv = new Ajv2020({ keywords: ['x-form', 'x-destination'] });
const isDestination = ajv.compile(DestinationUrl);
const isWebhook = ajv.compile(WebhookUrl);

describe('a destination', () => {
  test.each(['http://a', 'HttpS://Example.COM/Größe?b=c#d', 'https://example.com/a\\b'])('%s is one', url => {
    expect(isDestination(url)).toBe(true);
  });

  test.each([
    ['', 'empty'],
    ['example.com', 'without a scheme'],
    ['ftp://example.com', 'of another scheme'],
    ['javascript:alert(1)', 'a script'],
    [' https://example.com', 'with a space before it'],
    ['https://example.com/a b', 'with a space in it'],
    ['https://example.com/\r\nset-cookie: a=b', 'with a header behind it'],
    ['https://example.com/\u007f', 'with a control character'],
    ['https://example.com/\ud800', 'with half a character'],
  ])('%j is none: %s', url => {
    expect(isDestination(url)).toBe(false);
  });

  test('has at most 4,096 characters', () => {
    const start = 'https://example.com/';
    expect(isDestination(start.padEnd(4096, 'a'))).toBe(true);
    expect(isDestination(start.padEnd(4097, 'a'))).toBe(false);
  });
});

describe('the URL of a webhook', () => {
  test.each([
    'http://a',
    'HTTPS://hooks.example.com:8443/in?key=1',
    'https://[2001:db8::1]/',
    'http://1.2.3.4',
  ])('%s is one', url => {
    expect(isWebhook(url)).toBe(true);
  });

  test.each([
    ['ftp://example.com', 'of another scheme'],
    ['https://user@example.com/', 'with a user name'],
    ['https://example.com/#part', 'with a part of a page'],
    ['https://example.com\\@evil.example/', 'which two readers read in two ways'],
    ['https://bücher.example/', 'not in punycode'],
    ['https://example.com:123456/', 'with a port that is none'],
    ['https://example.com/a b', 'with a space'],
  ])('%j is none: %s', url => {
    expect(isWebhook(url)).toBe(false);
  });

  test('has at most 2,048 characters', () => {
    const start = 'https://example.com/';
    expect(isWebhook(start.padEnd(2048, 'a'))).toBe(true);
    expect(isWebhook(start.padEnd(2049, 'a'))).toBe(false);
  });
});
