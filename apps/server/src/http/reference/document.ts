import { chaptersFor } from './chapters.ts';
import { listEndpoints, mapOperations, type OpenApiDocument } from './openapi.ts';
import { writeSamples } from './samples.ts';

/** The OpenAPI document as the renderer shows it: with the chapters and with samples beside each operation. */
export function referenceDocument(document: OpenApiDocument, publicUrl: string): OpenApiDocument {
  const chapters = chaptersFor(publicUrl, heading => `#${heading}`);
  const info = {
    ...(document.info as object),
    title: 'Signpost API',
    description: chapters.map(({ title, markdown }) => `# ${title}\n\n${codesInWords(markdown)}`).join('\n'),
  };
  const withSamples = mapOperations(document, endpoint => ({
    'x-codeSamples': writeSamples(endpoint, publicUrl),
  }));
  const { securitySchemes, ...components } = document.components as Components;
  return {
    ...withSamples,
    info,
    components: {
      ...components,
      securitySchemes: { apiKey: { ...securitySchemes.apiKey, description: keyForThisPage } },
    },
    // Apart from the chapters, in the contents of the page.
    'x-tagGroups': [
      { name: 'Operations', tags: [...new Set(listEndpoints(document).flatMap(({ tags }) => tags))] },
    ],
  };
}

/** The renderer takes the underscores in `short_code_taken` for emphasis in its contents, so headings have words there. */
const codesInWords = (markdown: string) =>
  markdown.replaceAll(
    /^## ([a-z_]+)\n\n\*\*(\d+)\.\*\*/gm,
    (_all, code: string, status: string) => `## ${inWords(code)}\n\n**${status}** \`${code}\`.`,
  );

const inWords = (code: string) =>
  code
    .replaceAll('_', ' ')
    .replace(/^./, first => first.toUpperCase())
    .replace(/\b(?:json|ur[il])\b/gi, name => name.toUpperCase());

type Components = { readonly securitySchemes: { readonly apiKey: object } };

const keyForThisPage =
  'Your test key. This page takes no live keys, and forgets the key when you close or reload it.';
