import { chaptersFor } from './chapters.ts';
import { listEndpoints, type OpenApiDocument } from './openapi.ts';
import { writeSamples } from './samples.ts';

/** The API for agents, in the form of https://llmstxt.org: what it is, and where everything is. */
export function llmsTxt(document: OpenApiDocument, publicUrl: string): string {
  const docs = `${publicUrl}/docs`;
  const chapters = chaptersFor(publicUrl, heading => `${docs}#${heading}`);
  const operations = listEndpoints(document).map(
    ({ operationId, method, path, summary }) =>
      `- [${summary}](${docs}#${operationId}): \`${method} ${path}\``,
  );
  return [
    ...about(document, publicUrl),
    `- [OpenAPI 3.1](${publicUrl}/v1/openapi.json): every operation with its parameters, schemas and examples`,
    `- [All of it as text](${publicUrl}/llms-full.txt): every chapter, and every operation with a call`,
    '',
    '## Operations',
    '',
    ...operations,
    '',
    '## Chapters',
    '',
    ...chapters.map(({ id, title }) => `- [${title}](${docs}#${id})`),
    '',
  ].join('\n');
}

/** All chapters, and every operation with a call by curl. */
export function llmsFullTxt(document: OpenApiDocument, publicUrl: string): string {
  const chapters = chaptersFor(publicUrl, heading => `${publicUrl}/docs#${heading}`);
  const operations = listEndpoints(document).flatMap(endpoint => [
    `### ${endpoint.summary}`,
    '',
    `\`${endpoint.method} ${endpoint.path}\` ${endpoint.description}`,
    '',
    '```sh',
    writeSamples(endpoint, publicUrl)[0]?.source ?? '',
    '```',
    '',
  ]);
  return [
    ...about(document, publicUrl),
    `- [OpenAPI 3.1](${publicUrl}/v1/openapi.json): every operation with its parameters, schemas and examples`,
    '',
    ...chapters.flatMap(({ title, markdown }) => [`## ${title}`, '', markdown.replaceAll(/^## /gm, '### ')]),
    '## Operations',
    '',
    ...operations,
  ].join('\n');
}

function about({ info }: OpenApiDocument, publicUrl: string): readonly string[] {
  return [
    '# Signpost API',
    '',
    `> ${(info as { description: string }).description}`,
    '',
    `- Base URL: ${publicUrl}`,
    '- Authentication: `Authorization: Bearer sk_test_…` for test mode, `sk_live_…` for live mode. People create keys in the dashboard.',
    '- Bodies and responses are JSON. Send `Idempotency-Key` with every POST, and wait for `Retry-After` seconds after 429.',
  ];
}
