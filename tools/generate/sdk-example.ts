import { exampleOf, type Operation, type Parameter } from './sdk-document.ts';

/** A call of a method as a caller would write it, with the examples of the document. An operation without them fails. */
export function exampleCall(operation: Operation, method: string): string {
  const ids = operation.pathParameters.map(one => literal(needed(exampleOf(one), operation, one.name)));
  const input = inputOf(operation);
  const call = (start: string) => {
    const before = `${start}signpost.${method}(${ids.map(id => `${id}, `).join('')}`;
    if (!input) return `${before.replace(/, $/, '')});`;
    const isShort = before.length + inline(input).length < lineWidth;
    return `${before}${isShort ? inline(input) : literal(input)});`;
  };
  switch (operation.answer.kind) {
    case 'file':
      return `${call('const file = await ')}\nconst bytes = await file.arrayBuffer();`;
    case 'page':
    case 'feed':
      return [
        call(`const { data, ${operation.answer.kind === 'page' ? 'pagination' : 'next_cursor'} } = await `),
        '',
        `for await (const item of signpost.${method}(${ids.join(', ')})) {`,
        '  console.log(item.id);',
        '}',
      ].join('\n');
    case 'json':
      return call(`const ${resultName(operation)} = await `);
  }
}

const lineWidth = 90;

/** `QrCode` is kept in `qrCode`; an answer without a name in `answer`. */
function resultName({ answer }: Operation): string {
  const type = answer.schema.$ref?.split('/').at(-1) ?? 'Answer';
  return `${type[0]!.toLowerCase()}${type.slice(1)}`;
}

function inputOf(operation: Operation): object | null {
  const { body, query } = operation;
  if (body) return needed(body.example, operation, 'the body') as object;
  const shown = query.filter(one => one.required || isShown(one));
  if (shown.length === 0) return null;
  return Object.fromEntries(shown.map(one => [one.name, needed(exampleOf(one), operation, one.name)]));
}

/** The first page is what everybody gets who does not ask for another. */
const isShown = (parameter: Parameter) => parameter.name !== 'page' && exampleOf(parameter) !== undefined;

function needed(example: unknown, { id }: Operation, what: string): unknown {
  if (example === undefined) throw new Error(`${id} has no example for ${what} in the document: record one`);
  return example;
}

/** A value as TypeScript: an object over several lines, short ones inside of it on one. */
function literal(value: unknown, indent = ''): string {
  const short = inline(value);
  const isShort = indent !== '' && indent.length + short.length < lineWidth;
  if (typeof value !== 'object' || value === null || isShort) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Object.entries(value).map(([key, item]) =>
    Array.isArray(value)
      ? `${inner}${literal(item, inner)},`
      : `${inner}${keyOf(key)}: ${literal(item, inner)},`,
  );
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}

function inline(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${keyOf(key)}: ${inline(item)}`)
    .join(', ')} }`;
}

const keyOf = (key: string) => (/^[a-z_$][\w$]*$/i.test(key) ? key : inline(key));
