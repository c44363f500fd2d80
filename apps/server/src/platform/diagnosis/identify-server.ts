import { connect } from 'node:net';
import type { ServerAddress } from '../../kernel/addresses/engine-address.ts';

type ServerKind = 'PostgreSQL' | 'Redis' | 'NATS' | 'a web server' | 'a server that requires TLS';

export const identifyTimeoutMs = 1_500;
/** Long enough for a server's greeting to arrive before anything is sent. */
const greetingMs = 200;

/**
 * Finds out what kind of server listens where an engine is expected; null if it stays unknown. It sends a few bytes in
 * several protocols, none of which changes anything.
 */
export async function identifyServer(address: ServerAddress): Promise<ServerKind | null> {
  const replyToSsl = firstReply(address, sslRequest, 0);
  const replyToText = await firstReply(address, Buffer.from('GET / HTTP/1.0\r\n\r\n'), greetingMs);
  if (replyToText.startsWith('INFO {')) return 'NATS';
  const status = /^HTTP\/[\d.]+ (\d{3})/.exec(replyToText)?.[1];
  if (status !== undefined) return isProxyError(Number(status)) ? null : 'a web server';
  if (/^-[A-Z]+ /.test(replyToText)) return 'Redis';
  if (replyToText.startsWith('\x15\x03')) return 'a server that requires TLS';
  return /^[SN]$/.test(await replyToSsl) ? 'PostgreSQL' : null;
}

/** A proxy whose engine is down answers 5xx; one that does not support HTTP/1.0 answers 426. */
export const isProxyError = (status: number) => status >= 500 || status === 426;

/** Only PostgreSQL answers this with one letter, which says whether it supports TLS. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function firstReply(address: ServerAddress, request: Buffer, delayMs: number): Promise<string> {
  return new Promise(resolve => {
    const socket = connect('path' in address ? { path: address.path } : address);
    const finish = (text: string) => {
      clearTimeout(sending);
      clearTimeout(timeout);
      socket.destroy();
      resolve(text);
    };
    const sending = setTimeout(() => socket.write(request), delayMs);
    // One more turn of the event loop, for a reply that arrived while this process itself was busy.
    const timeout = setTimeout(() => setImmediate(finish, ''), identifyTimeoutMs);
    socket.once('data', bytes => finish(bytes.toString('latin1')));
    socket.once('error', () => finish(''));
    socket.once('close', () => finish(''));
  });
}
