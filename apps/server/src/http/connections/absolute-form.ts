import type { IncomingMessage } from 'node:http';

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;
const slash = 0x2f;

/** A target may be a whole URL, as proxies are sent it: its host counts then, and not the Host header (RFC 9112, 3.2.2). */
export function toOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const { url = '' } = request;
  if (url.charCodeAt(0) === slash) return;
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return;
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}
