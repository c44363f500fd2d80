import { at, children, type Json, list, type Node } from './document.ts';

/**
 * Where responses and events are closed: a generated client would refuse the next version, which may add fields and values.
 * A `const` is allowed: it tells alternatives apart.
 */
export function closedAnswers(document: Json): string[] {
  const root: Node = { value: document, root: document };
  const ofPaths = [...children(root, 'paths')].flatMap(([path, item]) =>
    operationsOf(item).flatMap(([method, operation]) => ofResponses(`${method} ${path}`, operation)),
  );
  const ofEvents = [...children(root, 'webhooks')].flatMap(([event, item]) =>
    operationsOf(item).flatMap(([, operation]) =>
      ofSchemas(`event ${event}: media type`, children(at(operation, 'requestBody'), 'content')),
    ),
  );
  return [...ofPaths, ...ofEvents];
}

const operationsOf = (item: Node) =>
  Object.keys(item.value)
    .filter(key => key !== 'parameters')
    .flatMap(method => {
      const operation = at(item, method);
      return operation ? [[method.toUpperCase(), operation] as const] : [];
    });

function ofResponses(where: string, operation: Node): string[] {
  return [...children(operation, 'responses')].flatMap(([status, response]) => [
    ...ofSchemas(`${where}: response ${status}: header`, children(response, 'headers')),
    ...ofSchemas(`${where}: response ${status}: media type`, children(response, 'content')),
  ]);
}

function ofSchemas(where: string, places: ReadonlyMap<string, Node>): string[] {
  return [...places].flatMap(([name, place]) => {
    const schema = at(place, 'schema');
    return schema ? closed(`${where} ${name}`, schema) : [];
  });
}

function closed(where: string, schema: Node, seen: readonly string[] = []): string[] {
  const key = JSON.stringify(schema.value);
  if (seen.includes(key)) return [];
  const way = [...seen, key];
  const { additionalProperties, unevaluatedProperties, enum: values } = schema.value;
  const rest = at(schema, 'additionalProperties');
  const items = at(schema, 'items');
  const inner: readonly (readonly [string, Node])[] = [
    ...[...children(schema, 'properties')].map(([name, one]) => [`${where}.${name}`, one] as const),
    ...[...children(schema, 'patternProperties').values()].map(one => [`${where}.*`, one] as const),
    ...(rest ? [[`${where}.*`, rest] as const] : []),
    ...(items ? [[`${where}[]`, items] as const] : []),
    ...['anyOf', 'oneOf', 'allOf'].flatMap(keyword =>
      list(schema, keyword).map(one => [where, one] as const),
    ),
  ];
  return [
    ...(additionalProperties === false || unevaluatedProperties === false
      ? [`${where}: closed to new fields`]
      : []),
    ...(Array.isArray(values) ? [`${where}: closed to new values`] : []),
    ...inner.flatMap(([place, one]) => closed(place, one, way)),
  ];
}
