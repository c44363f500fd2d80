import { describe, expect, test } from 'vitest';
import { parseHost } from '../../kernel/addresses/hosts.ts';
import { blockedRefusal, hostAndParents } from './blocked-host.ts';

const leadsTo = (destinationUrl: string, host: string) => blockedRefusal({ destinationUrl }, [host]) !== null;

describe('a host that an operator names', () => {
  test.each([
    ['evil.example', 'evil.example'],
    ['EVIL.Example.', 'evil.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ｅｖｉｌ.example', 'evil.example'],
    ['a_b.evil.example', 'a_b.evil.example'],
    ['192.0.2.7', '192.0.2.7'],
    ['0xC0000207', '192.0.2.7'],
    ['[2001:DB8::1]', '[2001:db8::1]'],
  ])('%s is taken as %s', (text, host) => {
    expect(parseHost(text)).toBe(host);
  });

  test.each([
    '',
    'com',
    'localhost',
    'https://evil.example',
    'evil.example/login',
    'evil.example:8443',
    'me@evil.example',
    '*.evil.example',
    '.evil.example',
    'evil..example',
    'evil.example..',
    '.',
    'evil example',
    `${'long-label.'.repeat(25)}example`,
  ])('%j is not a host', text => {
    expect(parseHost(text)).toBeNull();
  });
});

describe('a blocked host', () => {
  test.each([
    'https://evil.example',
    'http://EVIL.example:8080/login?a=b#c',
    'https://evil.example./login',
    // Accepted by older versions.
    'https://evil.example../login',
    'https://a..evil.example/',
    'https://www.evil.example/',
    'https://a.b.evil.example',
    'https://ev%69l.example/',
    'https://ｅｖｉｌ.example/',
  ])('is where %s leads', destination => {
    expect(leadsTo(destination, 'evil.example')).toBe(true);
    expect(hostAndParents(destination)).toContain('evil.example');
  });

  test.each([
    'https://notevil.example',
    'https://evil.example.org',
    'https://example/evil.example',
    'https://good.example/?to=https://evil.example',
    'https://evil-example.com',
  ])('is not where %s leads', destination => {
    expect(leadsTo(destination, 'evil.example')).toBe(false);
    expect(hostAndParents(destination)).not.toContain('evil.example');
  });

  test('is found among the parents of a name of any length, whose number is bounded', () => {
    const deep = `https://${'a.'.repeat(2000)}evil.example/`;
    expect(hostAndParents(deep)).toContain('evil.example');
    expect(hostAndParents(deep).length).toBeLessThanOrEqual(127);
  });

  test('that is an address blocks only that address', () => {
    expect(leadsTo('https://192.0.2.7/x', '192.0.2.7')).toBe(true);
    expect(leadsTo('https://3221225991/x', '192.0.2.7')).toBe(true);
    expect(leadsTo('https://192.0.2.70/x', '192.0.2.7')).toBe(false);
    expect(leadsTo('https://[2001:db8:0::1]/x', '[2001:db8::1]')).toBe(true);
  });
});
