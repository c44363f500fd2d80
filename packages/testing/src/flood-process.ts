import { connect } from 'node:net';

/** What is sent over each connection, and how many responses are expected. */
export type Flood = {
  readonly url: string;
  readonly connections: number;
  /** Each # is replaced by a number that makes the request unique. */
  readonly request: string;
  readonly times: number;
  /** Bytes that follow, the same for all. */
  readonly body?: { readonly byte: string; readonly bytes: number };
};

/** Reports the number of responses per connection, when all have arrived or the connections have ended. */
process.on('message', async ({ url, connections, request, times, body }: Flood) => {
  let n = 0;
  const next = () => request.replaceAll('#', () => String(n++));
  const payloads = Array.from({ length: connections }, () =>
    Buffer.concat([
      Buffer.from(Array.from({ length: times }, next).join('')),
      body ? Buffer.alloc(body.bytes, body.byte) : Buffer.alloc(0),
    ]),
  );
  const counts = await Promise.all(payloads.map(payload => send(new URL(url), payload, times)));
  process.send!(counts);
});
process.send!('ready');

function send({ hostname, port }: URL, payload: Buffer, answers: number): Promise<number> {
  return new Promise(resolve => {
    let count = 0;
    let end = '';
    const socket = connect(Number(port), hostname, () => socket.write(payload));
    const finish = () => {
      socket.destroy();
      resolve(count);
    };
    socket.setTimeout(60_000, finish);
    socket.on('data', data => {
      const seen = end + data.toString('latin1');
      count += seen.split('HTTP/1.1 ').length - 1;
      // A status line may be split over two chunks.
      end = seen.slice(Math.max(seen.lastIndexOf('HTTP/1.1 ') + 1, seen.length - 8));
      if (count >= answers) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}
