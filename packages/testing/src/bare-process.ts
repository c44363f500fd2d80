import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

async function look(body: AsyncIterable<Buffer>): Promise<number> {
  let sum = 0;
  for await (const piece of body) for (const byte of piece) sum = (sum + byte) | 0;
  return sum;
}

/** The smallest possible redirect: node:http and a constant response. Of a body that is posted, every byte is looked at, no more. */
const server = createServer(async (request, response) => {
  if (request.method === 'POST') await look(request);
  const isPause = request.url === '/pause';
  const body = isPause ? String(delay.max / 1e6) : '';
  if (isPause) delay.reset();
  response.writeHead(isPause ? 200 : 302, [
    'Location',
    'https://example.com/a/usual/path/12345',
    'Content-Length',
    String(body.length),
  ]);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
