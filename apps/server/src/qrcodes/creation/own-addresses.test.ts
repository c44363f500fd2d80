import { describe, expect, test } from 'vitest';
import { createOwnAddresses } from './own-addresses.ts';

const urls = ['https://sign.example', 'https://api.bücher.example:8443', 'https://img.example/images'];
const own = createOwnAddresses({ urls, ports: [8080, 8081] });
own.setAddresses('sign.example', ['198.51.100.7', '2001:db8::7']);
own.setAddresses('img.example', ['203.0.113.9']);

const local = createOwnAddresses({ urls: ['http://localhost:8080'], ports: [8080, 9000] });

describe('an address of the service', () => {
  test.each([
    ['https://sign.example/menu', 'the base of short links'],
    ['http://sign.example/menu', 'by the other scheme'],
    ['https://sign.example:80/', 'by the other default port'],
    ['https://SIGN.Example./menu', 'in capitals, with a dot at its end'],
    ['https://ｓｉｇｎ.example/', 'in wide letters'],
    ['https://s%69gn.example/', 'percent-encoded'],
    ['https://sign.example:443/menu', 'with the port written out'],
    ['http://sign.example:8080/menu', 'where the API listens'],
    ['http://sign.example:8081/menu', 'where short links listen'],
    ['https://api.bücher.example:8443/x', 'the API'],
    ['https://api.xn--bcher-kva.example:8443/x', 'the API in punycode'],
    ['https://API.BÜCHER.example:8443', 'the API in capitals'],
    ['http://api.bücher.example:8443/', 'the API by the other scheme'],
    ['https://img.example/images/qr_1/public', 'an image'],
    ['https://img.example/other', 'the host of images'],
    ['http://198.51.100.7/menu', 'what our name leads to'],
    ['http://198.51.100.7:8080/menu', 'what our name leads to, where the API listens'],
    ['http://3325256711/menu', 'in one number'],
    ['http://0xc6.0x33.0x64.7/menu', 'in hexadecimal'],
    ['http://0306.063.0144.07/menu', 'in octal'],
    ['http://[2001:db8::7]/', 'by IPv6'],
    ['http://[2001:0db8:0:0:0:0:0:7]/', 'by IPv6 written out'],
    ['http://[::ffff:198.51.100.7]/', 'by IPv4 in IPv6'],
    ['http://[::FFFF:c633:6407]/', 'by IPv4 in IPv6, in hexadecimal'],
    ['http://203.0.113.9:80/', 'what the host of images leads to'],
  ])('is %s: %s', url => {
    expect(own.includes(new URL(url))).toBe(true);
  });

  test.each([
    ['https://example.com/', 'somebody else'],
    ['https://sign.example:8443/', 'another port of the host'],
    ['https://sub.sign.example/', 'a name below ours'],
    ['https://example/', 'a name above ours'],
    ['https://xsign.example/', 'a name that ends like ours'],
    ['https://api.bücher.example/', 'the default port of a host that has another'],
    ['https://example.com/?to=https://sign.example/x', 'our name in a query'],
    ['http://198.51.100.8/', 'the neighbour of our address'],
    ['http://198.51.100.7:3000/', 'another port of our address'],
    ['http://127.0.0.1:8080/', 'this machine, where none of ours means it'],
    ['http://[::ffff:198.51.100.8]/', 'the neighbour, by IPv4 in IPv6'],
  ])('is not %s: %s', url => {
    expect(own.includes(new URL(url))).toBe(false);
  });

  test.each([
    'http://localhost:8080/x',
    'http://LOCALHOST.:8080/x',
    'http://app.localhost:8080/x',
    'http://127.0.0.1:8080/x',
    'http://127.1:8080/x',
    'http://2130706433:8080/',
    'http://0x7f.1:9000/',
    'http://127.200.3.4:8080/',
    'http://[::1]:8080/',
    'http://[0:0:0:0:0:0:0:1]:9000/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://0.0.0.0:8080/',
    'http://0:8080/',
    'http://[::]:8080/',
  ])('is %s where the service is localhost', url => {
    expect(local.includes(new URL(url))).toBe(true);
  });

  test.each([
    ['https://ours.example/', true],
    ['http://ours.example:443/', true],
    ['http://ours.example/', false],
    ['https://ours.example:80/', false],
  ])('with an explicit port is only that port: %s', (url, isOwn) => {
    const exact = createOwnAddresses({ urls: ['http://ours.example:443'], ports: [] });
    expect(exact.includes(new URL(url))).toBe(isOwn);
  });

  test.each([
    'http://notlocalhost:8080/',
    'http://localhost.example:8080/',
    'http://127.example:8080/',
    'http://127.0.0.1.example:8080/',
    'http://[::127]:8080/',
    'http://[1::ffff:7f00:1]:8080/',
    'http://[::fffe:7f00:1]:8080/',
  ])('is not %s, which only resembles this machine', url => {
    expect(local.includes(new URL(url))).toBe(false);
  });

  test.each(['http://localhost/', 'http://127.0.0.1:8082/', 'http://[::1]:3000/', 'http://128.0.0.1:8080/'])(
    'is not %s where ours is localhost',
    url => {
      expect(local.includes(new URL(url))).toBe(false);
    },
  );

  test('is what a name resolved to when it was last looked up', () => {
    const moved = createOwnAddresses({ urls: ['https://sign.example'], ports: [] });
    expect(moved.includes(new URL('http://192.0.2.1/'))).toBe(false);
    moved.setAddresses('sign.example', ['192.0.2.1']);
    expect(moved.includes(new URL('http://192.0.2.1/'))).toBe(true);
    moved.setAddresses('sign.example', ['192.0.2.2']);
    expect(moved.includes(new URL('http://192.0.2.1/'))).toBe(false);
  });

  test('whose name resolves to this machine is every spelling of it', () => {
    const named = createOwnAddresses({ urls: ['http://sign.test:8080'], ports: [] });
    named.setAddresses('sign.test', ['127.0.0.1']);
    expect(named.includes(new URL('http://[::1]:8080/'))).toBe(true);
    expect(named.includes(new URL('http://localhost:8080/'))).toBe(true);
  });
});

test('only names are looked up, in the spelling that DNS knows', () => {
  const mixed = [
    'https://sign.example.',
    'http://127.0.0.1:1',
    'http://[2001:db8::1]',
    'https://bücher.example',
  ];
  expect(createOwnAddresses({ urls: mixed, ports: [] }).names).toEqual([
    'sign.example',
    'xn--bcher-kva.example',
  ]);
});
