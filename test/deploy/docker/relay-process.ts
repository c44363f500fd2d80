import { connect, createServer } from 'node:net';
import { joinSockets } from './join-sockets.ts';

/**
 * Runs in the network of a Docker engine and relays a socket of the file system to a port there: files are the same inside
 * and outside.
 */
const [path, port] = process.argv.slice(2);

createServer(outside => joinSockets(outside, connect(Number(port), '127.0.0.1'))).listen(path);
