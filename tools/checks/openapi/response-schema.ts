import { at, children, isObject, type Json, type Node, strings } from './document.ts';
import { isRound, keyOf } from './request-schema.ts';
import { alternatives, covers, merged, typesOf } from './schema.ts';

/**
 * What a client of the old schema of a response misses or cannot read in the new one. Values of an enum may change: clients
 * are told to expect new ones.
 */
export function lostResponse(
  where: string,
  older: Node,
  newer: Node,
  seen: readonly string[] = [],
): string[] {
  if (isRound(older, newer, seen)) return [];
  const way = [...seen, keyOf(older, newer)];
  const [old, now] = [merged(older), merged(newer)];
  if (isSplit(old, now)) return split(where, old, now, way);
  return [
    ...types(where, old, now),
    ...format(where, old, now),
    ...properties(where, old, now, way),
    ...below(where, old, now, way),
    ...choices(where, old, now, way),
  ];
}

function types(where: string, old: Node, now: Node): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  if (before === undefined) return [];
  const after_ = after ?? ['anything'];
  const isNew = after_.some(type => !covers(before, type));
  return isNew ? [`${where}: type changed from ${before.join(' or ')} to ${after_.join(' or ')}`] : [];
}

function format(where: string, old: Node, now: Node): string[] {
  const [before, after] = [old.value.format, now.value.format];
  return before === undefined || before === after ? [] : [`${where}: format ${before} lost`];
}

function properties(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  const after = children(now, 'properties');
  const [wasRequired, isRequired] = [strings(old, 'required'), strings(now, 'required')];
  return [...children(old, 'properties')].flatMap(([name, before]) => {
    const kept = after.get(name);
    if (kept === undefined) return [`${where}.${name}: lost`];
    const optional = wasRequired.includes(name) && !isRequired.includes(name);
    const changes = lostResponse(`${where}.${name}`, before, kept, seen);
    return optional ? [`${where}.${name}: was always there and is now optional`, ...changes] : changes;
  });
}

function below(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  return (['items', 'additionalProperties'] as const).flatMap(key => {
    const [before, after] = [at(old, key), at(now, key)];
    const place = key === 'items' ? `${where}[]` : `${where}.*`;
    if (before === undefined) return [];
    return after ? lostResponse(place, before, after, seen) : [`${place}: schema lost`];
  });
}

/** An object that has become a choice between several. */
const isSplit = (old: Node, now: Node) =>
  isObject(old.value.properties) &&
  alternatives(old).length === 0 &&
  alternatives(now).length > 0 &&
  now.value.properties === undefined;

/** Each alternative must be readable as the old object. A field that was optional may be missing from some, not from all. */
function split(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  const branches = alternatives(now).map(merged);
  const fields = branches.map(branch => children(branch, 'properties'));
  const required = strings(old, 'required');
  const changes = branches.flatMap((branch, index) => {
    const isExpected = (name: string) =>
      required.includes(name) || fields[index]!.has(name) || !fields.some(one => one.has(name));
    const expected = Object.entries(old.value.properties as Json).filter(([name]) => isExpected(name));
    const readable = { value: { ...old.value, properties: Object.fromEntries(expected) }, root: old.root };
    return lostResponse(where, readable, branch, seen);
  });
  return [...new Set(changes)];
}

/** Each new alternative must be readable as one of the old ones. */
function choices(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  const before = alternatives(old);
  const after = alternatives(now);
  if (before.length === 0 && after.length === 0) return [];
  const known = before.length > 0 ? before : [old];
  const isKnown = (alternative: Node) =>
    known.some(candidate => lostResponse(where, candidate, alternative, seen).length === 0);
  const answers = after.length > 0 ? after : [now];
  return answers.every(isKnown) ? [] : [`${where}: an alternative that was not there before`];
}
