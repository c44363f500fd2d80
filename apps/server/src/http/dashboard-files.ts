import { existsSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import type { App } from './app.ts';
import { plainPage } from './plain-page.ts';

export type DashboardFiles = {
  /** Where its build lies. */
  readonly root: string;
  /** false where AUTH_SECRET is not set: then nobody could sign in. */
  readonly isOn: boolean;
  /** Where images of codes come from, if not from here. */
  readonly imageBaseUrl: string;
};

/** The dashboard under /app/: its files, and its one page for every other path below. */
export function addDashboardRoutes(app: App, { root, isOn, imageBaseUrl }: DashboardFiles): void {
  app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false });
  const headers = securityHeaders(imageBaseUrl);
  const isBuilt = () => existsSync(resolve(root, 'index.html'));

  async function send(request: FastifyRequest, reply: FastifyReply) {
    reply.headers(headers);
    const missing = whatIsMissing(isOn, isBuilt());
    // Not a fault of the server: who looks after it has chosen to run without, or has not built it yet.
    if (missing) return reply.code(404).header('cache-control', 'no-store').type(html).send(missing);
    const path = (request.params as { '*'?: string })['*'] ?? '';
    if (isFile(root, path)) {
      // The build puts a hash of the content into these names: a changed file has another name.
      const isHashed = path.startsWith('assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      return reply.sendFile(path);
    }
    // A file that an older page asks for must not be answered with a page.
    if (path.startsWith('assets/'))
      throw new AppError('not_found', 'This file is of another version. Reload the page.');
    return reply.header('cache-control', 'no-store').sendFile('index.html');
  }

  app.get('/app', async (_request, reply) => reply.redirect('/app/', 302));
  app.get('/app/*', send);
  app.get('/', async (request, reply) => {
    if (!whatIsMissing(isOn, isBuilt())) return reply.redirect('/app/', 302);
    // Only a browser is shown a page; a program that has lost its way gets the error in the usual form.
    if (request.headers.accept?.includes('text/html')) return send(request, reply);
    throw new AppError(
      'not_found',
      'There is nothing at this path. The API is at /v1, its reference at /docs.',
    );
  });
}

const html = 'text/html; charset=utf-8';

function isFile(root: string, path: string): boolean {
  const file = resolve(root, path);
  return file.startsWith(root + sep) && existsSync(file) && statSync(file).isFile();
}

/** The page to show instead, which says what to do. */
function whatIsMissing(isOn: boolean, isBuilt: boolean): string | null {
  if (!isOn) {
    return plainPage(
      'The dashboard is off',
      'This Signpost answers its API and its short links. To sign in here, its operator sets <code>AUTH_SECRET</code> to at least 32 random characters and starts it again.',
    );
  }
  if (!isBuilt) {
    return plainPage(
      'The dashboard is not built yet',
      'Run <code>npm run build</code> in the folder of Signpost, then reload this page. The API works without it.',
    );
  }
  return null;
}

function securityHeaders(imageBaseUrl: string): Record<string, string> {
  const images = new URL(imageBaseUrl).origin;
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      // The component library writes its colours into the page; no script may be written there.
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
