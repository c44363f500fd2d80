import { createApiReference } from '@scalar/api-reference';
import '@scalar/api-reference/style.css';
import { addressOf, type ReferenceDocument } from './addresses.ts';
import { sendWithTestKey } from './send-with-test-key.ts';
import './style.css';

/** Made by the server for this page: the OpenAPI document with chapters and samples. */
const document_ = (await (await fetch('/docs/openapi.json')).json()) as ReferenceDocument;

/** Also for an address that is typed or followed while the page is open; the renderer only looks when it starts. */
addEventListener('hashchange', () => {
  const address = addressOf(document_, location.hash.slice(1));
  if (address) location.replace(address);
});

createApiReference('#reference', {
  // Requests go to where the page came from, whatever name the server has for itself.
  content: { ...document_, servers: [{ url: location.origin }] },
  customFetch: sendWithTestKey,
  redirect: hash => addressOf(document_, hash.replace(/^#/, '')),
  generateOperationSlug: ({ operationId, path, method }) => operationId ?? `${method}${path}`,

  // Nothing is kept, and nobody else hears of a reader.
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',

  // The samples of the document are in our own SDK and in curl.
  hiddenClients: true,
  hideModels: true,
  defaultOpenAllTags: false,
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: 'apiKey' },
});
