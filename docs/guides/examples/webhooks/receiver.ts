// A receiver of Signpost's webhooks in TypeScript, for Node 24 and without packages:
//   WEBHOOK_SECRET=whsec_… node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
const seen = new Set<string>();

function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some(signature => {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const server = createServer(async (request, response) => {
  const body = await read(request);
  if (!verify(secret, request.headers as Record<string, string>, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = String(request.headers['webhook-id']);
  if (!seen.has(id)) {
    seen.add(id); // In earnest: a unique key in your database, in the transaction that does the work.
    const { event, data } = JSON.parse(body);
    console.log(`${event} ${data.scan_id} of ${data.qr_id} in ${data.country}`);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on ${JSON.stringify(server.address())}`);
});
