/** A request as it goes over the wire. Names, values and the target are Latin-1: a character is a byte. */
export type Request = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
};

export type Header = readonly [name: string, value: string];

/** The request in well-formed HTTP/1.1, as far as its parts are. */
export function toBytes({ method, target, headers, body }: Request): Buffer {
  const framing: Header[] = body ? [['content-length', String(body.length)]] : [];
  return inBytes(`${method} ${target} HTTP/1.1`, [host, ...headers, ...framing], body);
}

/** A first line, headers and a body as they are: the caller answers for their sense. */
export function inBytes(firstLine: string, headers: readonly Header[], body: Buffer | null): Buffer {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body ?? Buffer.alloc(0)]);
}

export const host: Header = ['host', 'localhost'];

/** Whatever text, as the percent-encoding of a part of a URL. */
export const encode = (text: string) => encodeURIComponent(text.toWellFormed());
