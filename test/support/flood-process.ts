import { connect } from 'node:net';

/** What is sent at once over each connection, and how many answers it should bring. */
export type Flood = {
  readonly url: string;
  readonly connections: number;
  readonly payload: { readonly text: string; readonly times: number };
  readonly answers: number;
};

/** Tells how many answers each connection got, when all have theirs or have ended. */
process.once('message', async ({ url, connections, payload, answers }: Flood) => {
  // Every hash stands for a number that makes the request another than all others.
  let n = 0;
  const pieces = () => payload.text.replaceAll('#', () => String(n++));
  const texts = Array.from({ length: connections }, () =>
    payload.text.includes('#')
      ? Array.from({ length: payload.times }, pieces).join('')
      : payload.text.repeat(payload.times),
  );
  const counts = await Promise.all(texts.map(text => send(new URL(url), text, answers)));
  process.send!(counts, () => process.disconnect());
});

function send({ hostname, port }: URL, text: string, answers: number): Promise<number> {
  return new Promise(resolve => {
    let count = 0;
    let end = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const finish = () => {
      socket.destroy();
      resolve(count);
    };
    socket.setTimeout(60_000, finish);
    socket.on('data', data => {
      const seen = end + data.toString('latin1');
      count += seen.split('HTTP/1.1 ').length - 1;
      // A status line may be cut in two.
      end = seen.slice(Math.max(seen.lastIndexOf('HTTP/1.1 ') + 1, seen.length - 8));
      if (count >= answers) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}
