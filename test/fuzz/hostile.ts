import fc from 'fast-check';
import { encode, type Header, host, inBytes, type Request, toBytes } from './request.ts';

/** A hostile input with a name for the report. */
export type Hostile<Thing> = { readonly name: string; readonly thing: Thing };

const oneOf = <Thing>(things: Readonly<Record<string, Thing>>): fc.Arbitrary<Hostile<Thing>> =>
  fc.constantFrom(...Object.entries(things).map(([name, thing]) => ({ name, thing })));

const nested = (open: string, close: string, depth: number, core = '') =>
  open.repeat(depth) + core + close.repeat(depth);

/** JSON, or nearly JSON, in place of a value. */
export const hostileJson = oneOf({
  'a hundred thousand lists': nested('[', ']', 100_000),
  'a hundred thousand objects': nested('{"a":', '}', 100_000, '1'),
  'thirty thousand lists': nested('[', ']', 30_000),
  'nine thousand objects': nested('{"a":', '}', 9_000, '1'),
  'lists that never close': '['.repeat(50_000),
  'a list of fifty thousand': `[${'0,'.repeat(50_000)}0]`,
  'a NUL': '"a\\u0000b"',
  'a lone surrogate': '"a\\ud800"',
  'surrogates in the wrong order': '"\\udc00\\ud800"',
  'a noncharacter': '"\\uffff\\ufdd0"',
  'a change of direction': '"\\u202eabc\\u2066"',
  'a prototype': '{"__proto__":{"admin":true}}',
  'a constructor': '{"constructor":{"prototype":{"admin":true}}}',
  'two keys of one name': '{"name":"a","name":{"name":1}}',
  'a megabyte of text': `"${'a'.repeat(1_000_000)}"`,
  'a megabyte of astral text': `"${'😀'.repeat(250_000)}"`,
  'fifty thousand combining marks': `"e${'\u0301'.repeat(25_000)}"`,
  'SQL in a string': `"'; drop table accounts; --"`,
  'SQL in a number': '"1 or 1=1"',
  'a line break and a header': '"x\\r\\nSet-Cookie: a=b\\r\\n\\r\\n<html>"',
  'a script': '"<script>alert(1)</script>"',
  'a formula': '"=cmd|\' /C calc\'!A0"',
  'a format string': '"%s%n%x{{7*7}}\\u0024{7*7}"',
  '1e400': '1e400',
  '-1e400': '-1e400',
  'a tiny number': '1e-400',
  'five thousand digits': '9'.repeat(5000),
  'minus zero': '-0',
  'not a number': 'NaN',
  undefined: 'undefined',
  'a leading zero': '01',
  'a comma too many': '[1,]',
  'a raw tab': '"\t"',
  'a raw line break': '"\n"',
  'a wrong escape': '"\\x41"',
  'half an escape': '"\\u12"',
  'single quotes': "'a'",
  'a comment': '1/**/',
  'an unending string': '"abc',
} as const);

/** Changes to the bytes of a body. */
export const hostileBytes = oneOf<(body: Buffer) => Buffer>({
  'a byte order mark': body => Buffer.concat([Buffer.from('\ufeff'), body]),
  'UTF-16': body => Buffer.from(body.toString(), 'utf16le'),
  'a byte that is not UTF-8': body => insert(body, Buffer.from([0xff])),
  'an overlong slash': body => insert(body, Buffer.from([0xc0, 0xaf])),
  'a surrogate in UTF-8': body => insert(body, Buffer.from([0xed, 0xa0, 0x80])),
  'half a character': body => Buffer.concat([body.subarray(0, -1), Buffer.from([0xf0, 0x9f])]),
  'NUL bytes': body => insert(body, Buffer.alloc(3)),
  'the first half': body => body.subarray(0, body.length >> 1),
  'all but the last byte': body => body.subarray(0, -1),
  twice: body => Buffer.concat([body, body]),
  'junk behind it': body => Buffer.concat([body, Buffer.from(' }')]),
  nothing: () => Buffer.alloc(0),
  'white space': () => Buffer.from(' \r\n\t '),
  null: () => Buffer.from('null'),
  'a list': body => Buffer.from(`[${body}]`),
  'a string': body => Buffer.from(JSON.stringify(body.toString())),
  'a form': () => Buffer.from('name=a&destination_url=https%3A%2F%2Fexample.com'),
  'the head of a zip': () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
  'six megabytes of blanks': () => Buffer.alloc(6_000_000, 0x20),
  'every key twice': body => Buffer.from(body.toString().replace(/^\{(.+)\}$/s, '{$1,$1}')),
  'a prototype among the keys': body => Buffer.from(body.toString().replace(/^\{/, '{"__proto__":{"a":1},')),
});

const insert = (body: Buffer, bytes: Buffer) => {
  const middle = body.length >> 1;
  return Buffer.concat([body.subarray(0, middle), bytes, body.subarray(middle)]);
};

/** Headers instead of, or in addition to, the usual ones. A name in lower case replaces the header of that name. */
export const hostileHeaders = fc.oneof(
  oneOf<readonly Header[]>({
    'no content type': [['content-type', '']],
    'text/plain': [['content-type', 'text/plain']],
    'a form': [['content-type', 'application/x-www-form-urlencoded']],
    multipart: [['content-type', 'multipart/form-data; boundary=x']],
    XML: [['content-type', 'application/xml']],
    'JSON in another alphabet': [['content-type', 'application/json; charset=utf-16']],
    'JSON by another name': [['content-type', 'application/json-patch+json']],
    'JSON in capitals': [['content-type', 'APPLICATION/JSON']],
    'a broken content type': [['content-type', 'application/json; charset="']],
    'a content type of nothing': [['content-type', '/']],
    'a compressed body': [['content-encoding', 'gzip']],
  }),
  oneOf<readonly Header[]>({
    'a bearer of nothing': [['authorization', 'Bearer']],
    'a bearer of blanks': [['authorization', 'Bearer    ']],
    'another scheme': [['authorization', 'Basic dXNlcjpwYXNz']],
    'a key with a wrong checksum': [['authorization', `Bearer sk_live_${'a'.repeat(38)}`]],
    'a key of a strange mode': [['authorization', `Bearer sk_prod_${'a'.repeat(38)}`]],
    'a key of ten thousand': [['authorization', `Bearer sk_live_${'a'.repeat(10_000)}`]],
    'a key in another alphabet': [['authorization', 'Bearer sk_live_\xe9\xff\x80']],
    'a key with SQL': [['authorization', "Bearer sk_live_' or '1'='1"]],
    'no scheme': [['authorization', 'sk_live_abc']],
    'two authorizations': [
      ['authorization', 'Bearer a'],
      ['Authorization', 'Bearer b'],
    ],
  }),
  oneOf<readonly Header[]>({
    'an empty idempotency key': [['idempotency-key', '']],
    'an idempotency key of 256': [['idempotency-key', 'k'.repeat(256)]],
    'an idempotency key of 20,000': [['idempotency-key', 'k'.repeat(20_000)]],
    'an idempotency key in another alphabet': [['idempotency-key', 'cl\xe9\xff']],
    'an idempotency key with a tab': [['idempotency-key', 'a\tb']],
    'two idempotency keys': [
      ['idempotency-key', 'a'],
      ['Idempotency-Key', 'b'],
    ],
    'a quoted idempotency key': [['idempotency-key', '""']],
  }),
  oneOf<readonly Header[]>({
    'a forwarded nobody': [['x-forwarded-for', ',,, unknown, "_x", 999.1.1.1']],
    'a forwarded loopback': [['x-forwarded-for', '127.0.0.1, ::1, ::ffff:1.2.3.4']],
    'ten thousand forwarders': [['x-forwarded-for', '1.1.1.1,'.repeat(1200)]],
    'a forwarded byte': [['x-forwarded-for', '\xff\xfe']],
    'a forwarded host': [
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-proto', 'javascript'],
    ],
    'another method': [['x-http-method-override', 'DELETE']],
    'another address': [['x-original-url', '/healthz']],
    'a request id': [['x-request-id', 'mine\xff']],
    'a wish for the impossible': [['accept', 'image/png;q=0, nonsense']],
    'a range': [['range', 'bytes=0-0, 5-, -1']],
    'a condition': [['if-none-match', '*']],
    'an expectation': [['expect', '100-continue']],
    'a strange expectation': [['expect', 'a miracle']],
    'an upgrade': [
      ['connection', 'upgrade'],
      ['upgrade', 'websocket'],
      ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
    ],
    'an upgrade to HTTP/2': [
      ['connection', 'Upgrade, HTTP2-Settings'],
      ['upgrade', 'h2c'],
      ['http2-settings', ''],
    ],
    'a version': [['accept-version', '9.x']],
    'another host': [['host', 'evil.example:99999']],
    'an origin': [['origin', 'null']],
    'a prototype': [['__proto__', 'x']],
    'a constructor': [['constructor', 'x']],
    'four hundred headers': Array.from({ length: 400 }, (_, n): Header => [`x-${n}`, 'y']),
    'forty thousand bytes': [['x-long', 'y'.repeat(40_000)]],
    'a NUL': [['x-nul', 'a\0b']],
    'a bare line break': [['x-break', 'a\nb: c']],
    'a blank in a name': [['x name', 'a']],
    'a name in another alphabet': [['x-\xe9', 'a']],
  }),
);

/** Changes to the path of a request. */
export const hostilePath = oneOf<(path: string) => string>({
  'a percent sign': path => `${path}%`,
  'percent and no number': path => `${path}/%zz`,
  'a percent in the middle': path => path.replace('/v1/', '/v1/%e0%a4%a/'),
  'an encoded NUL': path => `${path}%00`,
  'an encoded byte': path => `${path}/%ff%fe`,
  'an overlong slash': path => `${path}/%c0%af`,
  'an encoded slash': path => `${path}%2f`,
  'an encoded slash in front': path => path.replace('/v1/', '/v1%2f'),
  'an encoded letter': path => path.replace('q', '%71').replace('o', '%6f'),
  'an encoded version': path => path.replace('/v1', '/%76%31'),
  'an encoded digit': path => path.replace('/v1', '/v%31'),
  'an encoding of an encoding': path => path.replace('/v1', '/%2576%2531'),
  'a way up': path => `${path}/../..`,
  'an encoded way up': path => `${path}/%2e%2e/%2e%2e`,
  'a way up from elsewhere': path => `/healthz/..${path}`,
  'a way to a file': () => '/v1/../../../../etc/passwd',
  'a stay': path => path.replace('/v1/', '/v1/./'),
  'a slash in front': path => `/${path}`,
  'slashes inside': path => path.replaceAll('/', '//'),
  'a slash behind': path => `${path}/`,
  backslashes: path => path.replaceAll('/', '\\'),
  'a parameter of the path': path => `${path};a=b`,
  'capital letters': path => path.toUpperCase(),
  'a fragment': path => `${path}#top`,
  'a fragment in front': path => `/#${path}`,
  'ten thousand letters': path => `${path}/${'a'.repeat(10_000)}`,
  'eight thousand encoded letters': path => `${path}/${'%61'.repeat(2700)}`,
  'forty thousand letters': path => `${path}/${'a'.repeat(40_000)}`,
  'two thousand levels': path => path + '/a'.repeat(2000),
  'another scheme and host': path => `http://evil.example${path}`,
  'another scheme': path => `ftp://evil.example${path}`,
  'an absolute nothing': () => 'http://evil.example',
  'bytes in another alphabet': path => `${path}/\xe9\xff`,
  'only a question mark': () => '?',
  'an asterisk': () => '*',
  'the version alone': () => '/v1',
  'the version and a slash': () => '/v1/',
  'a prototype': () => '/v1/__proto__',
  'the name of a parameter': path => path.replace(/[^/]+$/, ':id'),
  'a strange query': path =>
    `${path}?${'a=b&'.repeat(300)}__proto__=1&constructor[prototype]=1&%=%zz&a[]=&page=%00&page=1&page=2`,
  'a long query': path => `${path}?page=1${'0'.repeat(9000)}`,
});

/** Methods that are not in the document, and some that do not exist. */
export const hostileMethod = fc.constantFrom(
  ...['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'SEARCH', 'GET', 'POST', 'DELETE'],
  ...['BREW', 'get', 'X', 'PATCHY', 'CONNECT', '__proto__', 'G\xe9T'],
);

/** A serialisation of a request that no client library produces. */
export type Trick = {
  readonly hangUp?: true;
  readonly write: (request: Request) => Buffer;
};

const withLength = (length: string | number) => (request: Request) =>
  inBytes(
    firstLine(request),
    [host, ...request.headers, ['content-length', String(length)]],
    bodyOf(request),
  );

const chunked = (frame: (body: Buffer) => readonly (Buffer | string)[], headers: readonly Header[] = []) =>
  ({
    write: request =>
      inBytes(
        firstLine(request),
        [host, ...request.headers, ['transfer-encoding', 'chunked'], ...headers],
        Buffer.concat(frame(bodyOf(request)).map(part => Buffer.from(part as string))),
      ),
  }) satisfies Trick;

const chunks = (body: Buffer, size: number) =>
  Array.from({ length: Math.min(1000, Math.ceil(body.length / size)) }, (_, n) => {
    const part = body.subarray(n * size, n === 999 ? body.length : (n + 1) * size);
    return [`${part.length.toString(16)}\r\n`, part, '\r\n'];
  }).flat();

const firstLine = ({ method, target }: Request) => `${method} ${target} HTTP/1.1`;
const bodyOf = ({ body }: Request) => body ?? Buffer.from('{}');

const tricks: Readonly<Record<string, Trick>> = {
  'small chunks': chunked(body => [...chunks(body, 7), '0\r\n\r\n']),
  'one chunk with trailers': chunked(body => [...chunks(body, 1e9), '0\r\nX-Trailer: y\r\n\r\n']),
  'chunks with extensions': chunked(body => [`${body.length.toString(16)};a=b\r\n`, body, '\r\n0\r\n\r\n']),
  'chunks without an end': { ...chunked(body => chunks(body, 100)), hangUp: true },
  'a chunk of no known size': chunked(body => ['zz\r\n', body, '\r\n0\r\n\r\n']),
  'a chunk of a huge size': chunked(body => ['ffffffffffffffffff\r\n', body]),
  'chunks and a length': chunked(body => [...chunks(body, 1e9), '0\r\n\r\n'], [['content-length', '3']]),
  'a length too long': { hangUp: true, write: request => withLength(bodyOf(request).length + 10)(request) },
  'a length too short': { write: request => withLength(Math.max(0, bodyOf(request).length - 5))(request) },
  'a length of nothing': { write: withLength(0) },
  'a negative length': { write: withLength(-1) },
  'a length in words': { write: withLength('ten') },
  'a length beyond numbers': { write: withLength('9'.repeat(40)) },
  'a length beyond any limit': { write: withLength(2 ** 40) },
  'two lengths': {
    write: request => withLength('5')({ ...request, headers: [...request.headers, ['content-length', '6']] }),
  },
  'an unknown transfer encoding': {
    write: request =>
      inBytes(firstLine(request), [host, ...request.headers, ['transfer-encoding', 'gzip']], bodyOf(request)),
  },
  'no host': { write: request => inBytes(firstLine(request), request.headers, null) },
  'two hosts': {
    write: request => inBytes(firstLine(request), [host, ['Host', 'b'], ...request.headers], null),
  },
  'an old version': { write: r => inBytes(`${r.method} ${r.target} HTTP/1.0`, [host, ...r.headers], null) },
  'a version to come': {
    write: r => inBytes(`${r.method} ${r.target} HTTP/9.9`, [host, ...r.headers], null),
  },
  'no version': { write: r => inBytes(`${r.method} ${r.target}`, [host, ...r.headers], null) },
  'another protocol': { write: r => inBytes(`${r.method} ${r.target} RTSP/1.0`, [host, ...r.headers], null) },
  'the start of HTTP/2': { write: () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') },
  'the start of TLS': { write: () => Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, 0, 0, 0, 0]) },
  'a head that stops': { hangUp: true, write: request => toBytes(request).subarray(0, 30) },
  'bare line feeds': {
    write: request =>
      Buffer.from(
        toBytes({ ...request, body: null })
          .toString('latin1')
          .replaceAll('\r', ''),
      ),
  },
  'a folded header': {
    write: request => inBytes(firstLine(request), [host, ['x-folded', 'a\r\n b'], ...request.headers], null),
  },
  'blank lines in front': { write: request => Buffer.concat([Buffer.from('\r\n\r\n'), toBytes(request)]) },
  'a blank too many': {
    write: r => inBytes(`${r.method}  ${r.target} HTTP/1.1`, [host, ...r.headers], null),
  },
  'another request behind it': {
    write: request => Buffer.concat([toBytes(request), Buffer.from('GET /v1/x HTTP/1.1\r\nhost: a\r\n\r\n')]),
  },
};

export const trick = oneOf(tricks);

/** Values of query parameters that no schema allows. */
export const hostileText = fc.oneof(
  fc.constantFrom('', ' ', '-1', '0', '1.0', '1e3', '1e400', '0x10', '+1', 'NaN', 'null', 'true', '\0'),
  fc.constantFrom(
    '9'.repeat(30),
    '１',
    "1' or '1'='1",
    '\r\nX: y',
    '../..',
    '%',
    '\ud800',
    '<b>',
    '[object]',
  ),
  fc.constantFrom('2024-02-30', '9999999-01-01', '-000001-01-01', '2026-01-01T25:00:00Z', 'Mars/Base', 'UTC'),
  fc.string({ unit: 'binary', maxLength: 50 }),
);

/** Invalid ids. */
export const hostileId = fc.oneof(
  fc.constantFrom('qr_', 'qr_0', `qr_${'0'.repeat(26)}`, `qr_${'z'.repeat(26)}`, `QR_${'0'.repeat(26)}`),
  fc.constantFrom(
    'bulk',
    '..',
    '.',
    '%00',
    '%ff',
    '%2f',
    'a%2fb',
    '%',
    '__proto__',
    'null',
    '%20',
    '*',
    ':id',
  ),
  fc.constantFrom(`qr_${'a'.repeat(8000)}`, "qr_'%20or%201=1--", `qr_${'%F0%9F%98%80'.repeat(26)}`),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map(encode),
);
