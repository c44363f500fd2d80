import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument, operations } from '@signpost/contract';
import { AppError } from '../../kernel/errors.ts';
import type { App } from '../app.ts';
import { escapeHtml } from '../pages/escape-html.ts';
import type { Routes } from '../routes.ts';
import { referenceDocument } from './document.ts';
import { llmsFullTxt, llmsTxt } from './llms.ts';

type Parts = { readonly app: App; readonly routes: Routes; readonly config: { readonly publicUrl: string } };

/** Where `npm run build` puts the page and the renderer. */
const builtFiles = fileURLToPath(new URL('../../../../dashboard/reference/dist', import.meta.url));

/** The OpenAPI document, the reference at /docs with everything that it loads, and the API as text for agents. */
export function registerReference({ app, routes, config: { publicUrl } }: Parts, root = builtFiles): void {
  const document = openApiDocument(publicUrl);
  routes.add(operations.getOpenApi, async () => document);

  const shown = JSON.stringify(referenceDocument(document, publicUrl));
  const fullText = llmsFullTxt(document, publicUrl);
  const texts = {
    '/docs/openapi.json': ['application/json', shown],
    '/llms.txt': ['text/plain', llmsTxt(document, publicUrl)],
    '/llms-full.txt': ['text/plain', fullText],
  } as const;
  for (const [url, [type, text]] of Object.entries(texts)) {
    app.get(url, constant, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, max-age=300').send(text),
    );
  }

  // The plugin that sends files is registered with those of the dashboard.
  app.get('/docs', open, async (_request, reply) => {
    reply.headers(securityHeaders);
    if (existsSync(resolve(root, 'index.html')))
      return reply.header('cache-control', 'no-cache').sendFile('index.html', root);
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(asText(fullText));
  });
  app.get('/docs/assets/*', open, async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    if (!/^[\w.-]+$/.test(name) || !existsSync(resolve(root, 'assets', name)))
      throw new AppError('not_found', 'This file belongs to another version. Reload the page.');
    // The name has a hash of the content.
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .sendFile(`assets/${name}`, root);
  });
}

const open = { config: { authScheme: 'open' } } as const;
const constant = { config: { authScheme: 'open', constant: true } } as const;

const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // The renderer writes inline styles; inline scripts stay forbidden.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // The requests that readers try out go to this server and nowhere else.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** The reference for somebody who has not built it yet. */
const asText = (text: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Signpost API reference</title>
<style>main{max-width:50rem;margin:0 auto;font-family:system-ui,sans-serif}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
<main>
<p>This is the API reference as text. To see it with search and samples, run <code>npm run build</code> and reload this page.</p>
<pre>${escapeHtml(text)}</pre>
</main>
`;
