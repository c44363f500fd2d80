/** A request as it goes over the wire. Names, values and the target are Latin-1: a character is a byte. */
export type Request = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
};

export type Header = readonly [name: string, value: string];

/** The request in well-formed HTTP/1.1, if its parts are well-formed. */
export function toBytes({ method, target, headers, body }: Request): Buffer {
  const framing: Header[] = body ? [['content-length', String(body.length)]] : [];
  return inBytes(`${method} ${target} HTTP/1.1`, [host, ...headers, ...framing], body);
}

/** A request line, headers and a body, without any checks. */
export function inBytes(firstLine: string, headers: readonly Header[], body: Buffer | null): Buffer {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body ?? Buffer.alloc(0)]);
}

export const host: Header = ['host', 'localhost'];

/** Percent-encodes any text as part of a URL. */
export const encode = (text: string) => encodeURIComponent(text.toWellFormed());
