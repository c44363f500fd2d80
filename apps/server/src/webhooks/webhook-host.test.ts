import { expect, test } from 'vitest';
import { parseHost } from './webhook-host.ts';

test.each([
  ['https://Shop.Example/hook', 'shop.example'],
  ['https://shop.example.:8443/', 'shop.example'],
  ['http://user:word@shop.example:80/?a=b', 'shop.example'],
  ['https://münchen.example/', 'xn--mnchen-3ya.example'],
  ['https://XN--mnchen-3ya.example/', 'xn--mnchen-3ya.example'],
  ['http://127.1:99/', '127.0.0.1'],
  ['http://0x7f000001/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://[::ffff:127.0.0.1]/', '127.0.0.1'],
  ['http://[::ffff:c0a8:1]/', '192.168.0.1'],
  ['http://[2001:DB8:0:0::1]:8080/', '2001:db8::1'],
])('the host of %s is %s', (url, host) => {
  expect(parseHost(url)).toBe(host);
});
