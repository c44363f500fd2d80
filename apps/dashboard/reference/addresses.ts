/** As much of the document as addresses within the page need. */
export type ReferenceDocument = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId: string; readonly tags: readonly string[] }>>
    >
  >;
};

/**
 * Where the renderer shows what a short address means, or null for an address of the renderer itself. The short ones are in
 * error bodies (`#error-not_found`), in /llms.txt (`#createQrCode`, `#webhooks`) and in what people have saved.
 */
export function addressOf({ paths }: ReferenceDocument, address: string): string | null {
  if (address === '' || address.includes('/')) return null;
  const operations = Object.values(paths).flatMap(path => Object.values(path));
  const operation = operations.find(({ operationId }) => operationId === address);
  if (operation) return `#tag/${slugOf(operation.tags[0] ?? '')}/${operation.operationId}`;
  return `#description/${formerly[address] ?? slugOf(address.replace(/^error-/, ''))}`;
}

/** The renderer's own rule, for the headings and tags that we have. */
const slugOf = (text: string) => text.toLowerCase().replaceAll(/[\s_]+/g, '-');

/** Chapters that had another name. */
const formerly: Readonly<Record<string, string>> = { modes: 'test-mode' };
