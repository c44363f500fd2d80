import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { closedAnswers } from './openapi/closed-answers.ts';
import { at, children, type Json, list, type Node } from './openapi/document.ts';
import { narrowedRequest } from './openapi/request-schema.ts';
import { lostResponse } from './openapi/response-schema.ts';

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** What breaks callers of the old document: everything removed, and every request accepted less freely. */
export function lostOrNarrowed(old: Json, now: Json): string[] {
  const [before, after] = [old, now].map(value => ({ value, root: value })) as [Node, Node];
  return [...paths(before, after), ...events(children(before, 'webhooks'), children(after, 'webhooks'))];
}

function paths(old: Node, now: Node): string[] {
  const newPaths = children(now, 'paths');
  return [...children(old, 'paths')].flatMap(([path, before]) => {
    const after = newPaths.get(path);
    if (after === undefined) return [`${path}: path lost`];
    return Object.keys(before.value)
      .filter(method => methods.has(method))
      .flatMap(method => operation(`${method.toUpperCase()} ${path}`, method, before, after));
  });
}

/** An event is read like a response. Its headers are parameters here, since it is a request. */
function events(before: ReadonlyMap<string, Node>, after: ReadonlyMap<string, Node>): string[] {
  return [...before].flatMap(([name, oldItem]) => {
    const [old, now] = [at(oldItem, 'post'), at(after.get(name), 'post')];
    if (old === undefined) return [];
    if (now === undefined) return [`event ${name}: lost`];
    const content = (event: Node) => children(at(event, 'requestBody'), 'content');
    const headers = (event: Node) =>
      new Map(list(event, 'parameters').map(header => [String(header.value.name), header]));
    return [
      ...schemas(`event ${name}: header`, headers(old), headers(now)),
      ...schemas(`event ${name}: media type`, content(old), content(now)),
    ];
  });
}

function operation(where: string, method: string, oldPath: Node, newPath: Node): string[] {
  const [before, after] = [at(oldPath, method), at(newPath, method)];
  if (before === undefined) return [];
  if (after === undefined) return [`${where}: operation lost`];
  return [
    ...security(where, before, after),
    ...parameters(where, parametersOf(oldPath, before), parametersOf(newPath, after)),
    ...body(where, at(before, 'requestBody'), at(after, 'requestBody')),
    ...responses(where, children(before, 'responses'), children(after, 'responses')),
  ];
}

/** The security alternatives, each as the names of the schemes required together. An empty one requires nothing. */
function waysIn(operation: Node): readonly string[] {
  const security = operation.value.security ?? operation.root.security ?? [];
  const ways = (security as readonly Json[]).map(way => Object.keys(way).sort().join(' and '));
  return ways.length > 0 ? ways : [''];
}

function security(where: string, before: Node, after: Node): string[] {
  const now = waysIn(after);
  if (now.includes('')) return [];
  const lost = waysIn(before).filter(way => !now.includes(way));
  return lost.map(way =>
    way === '' ? `${where}: security added to a public operation` : `${where}: security ${way} lost`,
  );
}

function parametersOf(path: Node, operation: Node): ReadonlyMap<string, Node> {
  const all = [...list(path, 'parameters'), ...list(operation, 'parameters')];
  return new Map(
    all.map(parameter => [`${parameter.value.in} parameter ${parameter.value.name}`, parameter]),
  );
}

function parameters(
  where: string,
  before: ReadonlyMap<string, Node>,
  after: ReadonlyMap<string, Node>,
): string[] {
  const required = [...after]
    .filter(([name, { value }]) => value.required === true && before.get(name)?.value.required !== true)
    .map(([name]) => `${where}: ${name}: newly required`);
  const changed = [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    if (now === undefined) return [`${where}: ${name}: lost`];
    const [oldSchema, newSchema] = [at(old, 'schema'), at(now, 'schema')];
    return oldSchema && newSchema ? narrowedRequest(`${where}: ${name}`, oldSchema, newSchema) : [];
  });
  return [...required, ...changed];
}

function body(where: string, before: Node | undefined, after: Node | undefined): string[] {
  const place = `${where}: body`;
  if (before !== undefined && after === undefined) return [`${place}: lost`];
  const required = after?.value.required === true && before?.value.required !== true;
  const now = children(after, 'content');
  const changed = [...children(before, 'content')].flatMap(([type, old]) => {
    const kept = now.get(type);
    if (kept === undefined) return [`${place}: media type ${type} lost`];
    const [oldSchema, newSchema] = [at(old, 'schema'), at(kept, 'schema')];
    return oldSchema && newSchema ? narrowedRequest(place, oldSchema, newSchema) : [];
  });
  return required ? [`${place}: newly required`, ...changed] : changed;
}

function responses(
  where: string,
  before: ReadonlyMap<string, Node>,
  after: ReadonlyMap<string, Node>,
): string[] {
  return [...before].flatMap(([status, old]) => {
    const now = after.get(status);
    const place = `${where}: response ${status}`;
    if (now === undefined) return [`${place}: lost`];
    return [
      ...schemas(`${place}: header`, children(old, 'headers'), children(now, 'headers')),
      ...schemas(`${place}: media type`, children(old, 'content'), children(now, 'content')),
    ];
  });
}

/** Headers and media types are compared alike: each must still exist with a compatible schema. */
function schemas(
  where: string,
  before: ReadonlyMap<string, Node>,
  after: ReadonlyMap<string, Node>,
): string[] {
  return [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    if (now === undefined) return [`${where} ${name}: lost`];
    const [oldSchema, newSchema] = [at(old, 'schema'), at(now, 'schema')];
    if (oldSchema === undefined) return [];
    return newSchema
      ? lostResponse(`${where} ${name}`, oldSchema, newSchema)
      : [`${where} ${name}: schema lost`];
  });
}

if (import.meta.main) {
  const docs = resolve(import.meta.dirname, '../../docs/guides');
  const read = (name: string) => JSON.parse(readFileSync(resolve(docs, name), 'utf8')) as Json;
  // Written by `npm run generate -- --release`, from the first release on.
  const isReleased = existsSync(resolve(docs, 'openapi.released.json'));
  const changes = isReleased ? lostOrNarrowed(read('openapi.released.json'), read('openapi.json')) : [];
  const closed = closedAnswers(read('openapi.json'));
  for (const finding of [...changes, ...closed]) console.log(finding);
  if (isReleased) console.log(`openapi: ${changes.length} removed or narrowed since the last release`);
  console.log(`openapi: ${closed.length} places in responses and events that cannot be added to`);
  process.exitCode = changes.length + closed.length > 0 ? 1 : 0;
}
