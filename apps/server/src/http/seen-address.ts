import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../kernel/client-address.ts';

export const doctorHeader = 'x-signpost-doctor';
export const addressHeader = 'x-signpost-address';

/**
 * Tells whoever asks for it which address the service takes the caller for, so that `signpost doctor` can see what the
 * proxies make of it. It tells a caller nothing but the caller's own address.
 */
export function seenAddress(request: IncomingMessage, clientAddress: ClientAddress): Record<string, string> {
  if (request.headers[doctorHeader] === undefined) return {};
  const { remoteAddress = '' } = request.socket;
  return { [addressHeader]: clientAddress(remoteAddress, request.headers['x-forwarded-for']) };
}
