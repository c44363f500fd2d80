import type { App } from './app.ts';
import { referencePage, referenceStyleHash } from './reference.ts';

/** The API reference at /docs. It loads nothing, and its policy lets it load nothing. */
export function addReferenceRoutes(app: App, document: Parameters<typeof referencePage>[0]): void {
  const page = referencePage(document);
  const policy = `default-src 'none'; style-src '${referenceStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  app.get('/docs', { config: { constant: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' })
      .send(page),
  );
}
