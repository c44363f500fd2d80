import { connect } from 'node:net';
import type { Place } from '../kernel/engine-address.ts';

/** What kind of server is behind a port. */
export type Answerer = 'PostgreSQL' | 'Redis' | 'NATS' | 'a web server' | 'a server that wants TLS';

/** Long enough for a greeting to arrive before anything is asked. */
const greetingMs = 200;
const patienceMs = 1_500;

/**
 * Finds out what answers where an engine does not, or null where nothing does. It says a few bytes in the words of several
 * protocols, none of which changes anything.
 */
export async function whoAnswers(place: Place): Promise<Answerer | null> {
  const toStart = firstBytes(place, sslRequest, 0);
  const toText = await firstBytes(place, Buffer.from('GET / HTTP/1.0\r\n\r\n'), greetingMs);
  if (toText.startsWith('INFO {')) return 'NATS';
  if (toText.startsWith('HTTP/')) return 'a web server';
  if (/^-[A-Z]+ /.test(toText)) return 'Redis';
  if (toText.startsWith('\x15\x03')) return 'a server that wants TLS';
  return /^[SN]$/.test(await toStart) ? 'PostgreSQL' : null;
}

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
    let limit: NodeJS.Timeout | undefined;
    const asking = setTimeout(() => {
      socket.write(question);
      // One more turn, for an answer that has arrived while this process itself was held up.
      limit = setTimeout(() => setImmediate(end, ''), patienceMs);
    }, waitMs);
    socket.once('data', bytes => end(bytes.toString('latin1')));
    socket.once('error', () => end(''));
    socket.once('close', () => end(''));
  });
}
