import { connect } from 'node:net';
import type { Place } from '../kernel/engine-address.ts';

/** What kind of server is behind a port. */
export type ServerKind = 'PostgreSQL' | 'Redis' | 'NATS' | 'a web server' | 'a server that wants TLS';

/** How long one may take to answer. */
export const identifyMs = 1_500;
/** Long enough for a greeting to arrive before anything is asked. */
const greetingMs = 200;

/**
 * Finds out what answers where an engine does not, or null where nothing does. It sends a few bytes in several protocols,
 * none of which changes anything.
 */
export async function identifyServer(place: Place): Promise<ServerKind | null> {
  const toStart = firstBytes(place, sslRequest, 0);
  const toText = await firstBytes(place, Buffer.from('GET / HTTP/1.0\r\n\r\n'), greetingMs);
  if (toText.startsWith('INFO {')) return 'NATS';
  const status = /^HTTP\/[\d.]+ (\d{3})/.exec(toText)?.[1];
  if (status !== undefined) return isPassing(Number(status)) ? null : 'a web server';
  if (/^-[A-Z]+ /.test(toText)) return 'Redis';
  if (toText.startsWith('\x15\x03')) return 'a server that wants TLS';
  return /^[SN]$/.test(await toStart) ? 'PostgreSQL' : null;
}

/** A proxy whose engine is away answers 5xx; one that speaks no HTTP/1.0 answers 426. */
export const isPassing = (status: number) => status >= 500 || status === 426;

/** PostgreSQL alone answers this with one letter: whether it speaks TLS. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function firstBytes(place: Place, question: Buffer, waitMs: number): Promise<string> {
  return new Promise(resolve => {
    const socket = connect('path' in place ? { path: place.path } : place);
    const end = (text: string) => {
      clearTimeout(asking);
      clearTimeout(limit);
      socket.destroy();
      resolve(text);
    };
    const asking = setTimeout(() => socket.write(question), waitMs);
    // One more turn, for an answer that arrived while this process itself was busy.
    const limit = setTimeout(() => setImmediate(end, ''), identifyMs);
    socket.once('data', bytes => end(bytes.toString('latin1')));
    socket.once('error', () => end(''));
    socket.once('close', () => end(''));
  });
}
