import { existsSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { isLanguage, type Language, languageCookie } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pickLanguage } from '../../kernel/accept-language.ts';
import { AppError } from '../../kernel/errors.ts';
import type { App } from '../app.ts';
import { publicPage } from '../pages/public-page.ts';

type DashboardConfig = {
  /** Empty: nobody could sign in, and the dashboard is off. */
  readonly authSecret: string;
  /** Where images of codes come from, if not from here. */
  readonly imageBaseUrl: string;
};

/** Where `npm run build` puts the files of the dashboard. */
const builtFiles = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));

/** The dashboard under /app/: its files, and its one page for every other path below. */
export function registerDashboardFiles(
  app: App,
  { authSecret, imageBaseUrl }: DashboardConfig,
  root = builtFiles,
): void {
  const isOn = authSecret !== '';
  app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false });
  const headers = securityHeaders(imageBaseUrl);
  const isBuilt = () => existsSync(resolve(root, 'index.html'));

  async function send(request: FastifyRequest, reply: FastifyReply) {
    reply.headers(headers);
    const missing = missingPage(isOn, isBuilt());
    // Not a failure of the server: its operator runs without the dashboard, or has not built it yet.
    if (missing) return reply.code(404).header('cache-control', 'no-store').type(html).send(missing);
    const path = (request.params as { '*'?: string })['*'] ?? '';
    if (isFile(root, path)) {
      // The build puts a hash of the content into these names: a changed file has another name.
      const isHashed = path.startsWith('assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      return reply.sendFile(path);
    }
    // A page of an older version asks for a file that no longer exists: it must not get a page instead.
    if (path.startsWith('assets/'))
      throw new AppError('not_found', 'This file belongs to another version. Reload the page.');
    const page = toPageName(chosenLanguage(request));
    return reply.header('cache-control', 'no-store').sendFile(isFile(root, page) ? page : toPageName('en'));
  }

  app.get('/app', open, async (_request, reply) => reply.redirect('/app/', 302));
  app.get('/app/*', open, send);
  app.get('/', open, async (request, reply) => {
    if (!missingPage(isOn, isBuilt())) return reply.redirect('/app/', 302);
    // Only a browser gets a page; a program gets the error in the usual form.
    if (request.headers.accept?.includes('text/html')) return send(request, reply);
    throw new AppError(
      'not_found',
      'There is nothing at this path. The API is at /v1, its reference at /docs.',
    );
  });
}

const open = { config: { authScheme: 'open' } } as const;
const html = 'text/html; charset=utf-8';

/** Each language has scripts of its own, which begin with a page of its own. */
const toPageName = (language: Language) => (language === 'en' ? 'index.html' : `index.${language}.html`);

/** What somebody chose in this browser, else what the browser prefers. */
function chosenLanguage({ headers }: FastifyRequest): Language {
  const [, kept] = new RegExp(`(?:^|; )${languageCookie}=(\\w+)`).exec(headers.cookie ?? '') ?? [];
  if (isLanguage(kept)) return kept;
  return pickLanguage(headers['accept-language'], isLanguage);
}

function isFile(root: string, path: string): boolean {
  const file = resolve(root, path);
  return file.startsWith(root + sep) && existsSync(file) && statSync(file).isFile();
}

/** The page to show instead, which says what to do; null if nothing is missing. */
function missingPage(isOn: boolean, isBuilt: boolean): string | null {
  if (!isOn) {
    return messagePage(
      'The dashboard is off',
      'This Signpost answers its API and its short links. To sign in here, its operator sets <code>AUTH_SECRET</code> to at least 32 random characters and starts it again.',
    );
  }
  if (!isBuilt) {
    return messagePage(
      'The dashboard is not built yet',
      'Run <code>npm run build</code> in the folder of Signpost, then reload this page. The API works without it.',
    );
  }
  return null;
}

/** For operators, in English. It is sent with the headers of the dashboard. */
const messagePage = (title: string, text: string): string =>
  publicPage({ language: 'en', title, main: `<h1>${title}</h1>\n<p>${text}</p>`, layout: 'message' }).html;

function securityHeaders(imageBaseUrl: string): Record<string, string> {
  const images = new URL(imageBaseUrl).origin;
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      // The component library writes inline styles; inline scripts stay forbidden.
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' data: blob: ${images}`,
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
}
