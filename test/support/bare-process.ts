import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that a redirect can be: node:http and a constant answer. */
const server = createServer((_request, response) => {
  response.writeHead(302, ['Location', 'https://example.com/a/usual/path/12345', 'Content-Length', '0']);
  response.end();
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
