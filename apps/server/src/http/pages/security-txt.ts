import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { App } from '../app.ts';

/** Where security.txt is found, by RFC 9116. */
export const securityTxtPath = '/.well-known/security.txt';

export type SecurityTxt = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Options = {
  /** An e-mail address or an https address; empty: there is no file. */
  readonly contact: string;
  readonly publicUrl: string;
  readonly linkNames: Pick<LinkNames, 'base'>;
};

/** A copy expires after this many days. The RFC asks for less than a year. */
const goodForDays = 90;
const dayMs = 24 * 60 * 60_000;

/** The contact for this installation. Nothing of a request is in the file. */
export function securityTxt({ contact, publicUrl, linkNames }: Options, now: Date): SecurityTxt {
  if (contact === '') return answer(404, 'The operator has set no contact.\n');
  // The same all day, so that several processes serve the same file.
  const expires = new Date(Math.floor(now.getTime() / dayMs) * dayMs + goodForDays * dayMs);
  const addresses = new Set([publicUrl, linkNames.base].map(url => new URL(securityTxtPath, url).href));
  const lines = [
    `# A short link that leads to something harmful: ${publicUrl}/report`,
    `Contact: ${contact.startsWith('https://') ? contact : `mailto:${contact}`}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    'Preferred-Languages: en',
    ...[...addresses].filter(url => url.startsWith('https://')).map(url => `Canonical: ${url}`),
  ];
  return answer(200, `${lines.join('\n')}\n`);
}

const answer = (status: number, body: string): SecurityTxt => ({
  status,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': status === 200 ? 'public, max-age=3600' : 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body,
});

type Parts = {
  readonly app: App;
  readonly config: { readonly publicUrl: string; readonly abuseContact: string };
  readonly linkNames: LinkNames;
  readonly clock: Clock;
};

export function registerSecurityTxt({ app, config, linkNames, clock }: Parts): void {
  const options = { publicUrl: config.publicUrl, linkNames, contact: config.abuseContact };
  app.get(securityTxtPath, { config: { authScheme: 'open' } }, async (_request, reply) => {
    const { status, headers, body } = securityTxt(options, clock.now());
    return reply.code(status).headers(headers).send(body);
  });
}
