import { methodNames } from './method-names.ts';
import { commentText, typeOf } from './schema-type.ts';
import { queryName } from './sdk.ts';
import { type Document, type Operation, operationsOf, withoutCompatibility } from './sdk-document.ts';
import { exampleCall } from './sdk-example.ts';

/** The methods of the SDK, each with its signature, its description and an example. */
export function methodsSource(whole: Document, names = methodNames): string {
  const document = withoutCompatibility(whole);
  const operations = new Map(operationsOf(document).map(one => [one.id, one]));
  const missing = new Set(operations.keys());
  const types = Object.entries(names).map(([resource, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, id]) => {
      const operation = operations.get(id);
      if (!operation) throw new Error(`There is no operation ${id}: correct tools/generate/method-names.ts`);
      missing.delete(id);
      return `${docComment(operation, exampleCall(operation, `${resource}.${verb}`))}${signature(verb, operation)}`;
    });
    return `/** The methods of \`signpost.${resource}\`. */\nexport type ${typeNameOf(resource)} = {\n${methods.join('\n\n')}\n};\n`;
  });
  if (missing.size > 0)
    throw new Error(`${[...missing].join(', ')}: add a line for each to tools/generate/method-names.ts`);
  const body = types.join('\n');
  return [
    '// Made by `npm run generate` from docs/guides/openapi.json. Change the contract, not this file.\n',
    "import type { ApiPromise } from './api-promise.ts';",
    `import type {\n${importedNames(body, document, operations)}\n} from './generated.ts';`,
    "import type { Feed, Pages } from './pages.ts';",
    "import type { RequestOptions } from './transport.ts';\n",
    body,
    '/** Which operation each method is. */',
    `export const resources = {\n${Object.entries(names).map(tableOf).join('\n')}\n} as const;\n`,
  ].join('\n');
}

const typeNameOf = (resource: string) => `${resource[0]!.toUpperCase()}${resource.slice(1)}Methods`;

function signature(verb: string, operation: Operation): string {
  const { pathParameters, query, body, answer } = operation;
  const inPath = pathParameters.map(({ name }) => `${name}: string`);
  const isOptional = body ? !body.required : query.every(one => !one.required);
  const type = body ? typeOf(body.schema, '  ') : query.length > 0 ? queryName(operation.id) : null;
  const params = type ? [`params${isOptional ? '?' : ''}: ${type}`] : [];
  const answered = answer.kind === 'file' ? 'Response' : typeOf(answer.schema, '  ');
  const returned = { page: 'Pages', feed: 'Feed', json: 'ApiPromise', file: 'ApiPromise' }[answer.kind];
  const result = `${returned}<${answered}>`;
  return `  ${verb}(${[...inPath, ...params, 'options?: RequestOptions'].join(', ')}): ${result};`;
}

function docComment({ summary, description, answer }: Operation, example: string): string {
  const kinds = {
    json: [],
    page: ['One page when you await it, every item when you iterate it with `for await`.'],
    feed: [
      'One page when you await it, every item from there to the newest when you iterate it with `for await`.',
    ],
    file: ['Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.'],
  };
  const paragraphs = [`${summary}.`, description, ...kinds[answer.kind]].filter(Boolean).map(commentText);
  const lines = [
    ...paragraphs.flatMap((text, index) => (index > 0 ? ['', text] : [text])),
    '',
    '@example',
    '```ts',
    ...example.split('\n'),
    '```',
  ];
  return `  /**\n${lines.map(line => `   *${line ? ` ${line}` : ''}\n`).join('')}   */\n`;
}

const tableOf = ([resource, verbs]: readonly [string, Readonly<Record<string, string>>]) =>
  `  ${resource}: {\n${Object.entries(verbs)
    .map(([verb, id]) => `    ${verb}: '${id}',`)
    .join('\n')}\n  },`;

/** The generated types that signatures name. */
function importedNames(body: string, document: Document, operations: ReadonlyMap<string, Operation>): string {
  const known = [...Object.keys(document.components.schemas), ...[...operations.keys()].map(queryName)];
  const signatures = body.replaceAll(/\/\*\*.*?\*\//gs, '');
  const used = known.filter(name => new RegExp(`\\b${name}\\b`).test(signatures));
  return used
    .toSorted()
    .map(name => `  ${name},`)
    .join('\n');
}
