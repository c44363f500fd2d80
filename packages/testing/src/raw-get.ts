import { connect } from 'node:net';

/** A response as received, with the order and spelling of its headers. */
export type RawAnswer = {
  readonly statusLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
};

/** GET without a client that would normalise the request or the response. Bytes are decoded as Latin-1. */
export function rawGet(baseUrl: string, target: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1');
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error('no response in time')));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const [statusLine = '', ...lines] = text.split('\r\n\r\n', 1)[0]!.split('\r\n');
      const headers = lines.map(line => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), line.slice(colon + 2)] as const;
      });
      resolve({ statusLine, headers, text });
    });
  });
}
