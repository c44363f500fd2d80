import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../../kernel/addresses/client-address.ts';

export const doctorHeader = 'x-signpost-doctor';
export const addressHeader = 'x-signpost-address';

/**
 * Shows which address the service sees for a caller that asks for it, so that `signpost doctor` can check the proxies in
 * between. It tells a caller nothing but the caller's own address.
 */
export function clientAddressHeader(
  request: IncomingMessage,
  clientAddress: ClientAddress,
): Record<string, string> {
  if (request.headers[doctorHeader] === undefined) return {};
  const { remoteAddress = '' } = request.socket;
  return { [addressHeader]: clientAddress(remoteAddress, request.headers['x-forwarded-for']) };
}
