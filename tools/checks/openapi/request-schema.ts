import { at, children, isObject, type Node, strings } from './document.ts';
import { alternatives, covers, merged, typesOf, valuesOf } from './schema.ts';

const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

/** What the old schema of a request accepts and the new one refuses. */
export function narrowedRequest(
  where: string,
  older: Node,
  newer: Node,
  seen: readonly string[] = [],
): string[] {
  if (isRound(older, newer, seen)) return [];
  const way = [...seen, keyOf(older, newer)];
  const [old, now] = [merged(older), merged(newer)];
  return [
    ...types(old, now),
    ...values(old, now),
    ...limits(old, now),
    ...forms(old, now),
    ...closed(old, now),
  ]
    .map(change => `${where}: ${change}`)
    .concat(required(where, old, now), properties(where, old, now, way), items(where, old, now, way))
    .concat(choices(where, old, now, way));
}

function types(old: Node, now: Node): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  if (after === undefined) return [];
  if (before === undefined) return [`type ${after.join(' or ')} added`];
  const lost = before.filter(type => !covers(after, type));
  return lost.length > 0 ? [`type changed from ${before.join(' or ')} to ${after.join(' or ')}`] : [];
}

function values(old: Node, now: Node): string[] {
  const [before, after] = [valuesOf(old), valuesOf(now)];
  if (after === undefined) return [];
  if (before === undefined) return ['a list of allowed values added'];
  const kept = new Set(after.map(value => JSON.stringify(value)));
  const lost = before.map(value => JSON.stringify(value)).filter(value => !kept.has(value));
  return lost.map(value => `allowed value ${value} lost`);
}

function limits(old: Node, now: Node): string[] {
  const compare = (keyword: string, isTighter: (before: number, after: number) => boolean, verb: string) => {
    const [before, after] = [old.value[keyword], now.value[keyword]];
    if (typeof after !== 'number') return [];
    if (typeof before === 'number') {
      return isTighter(before, after) ? [`${keyword} ${verb} from ${before} to ${after}`] : [];
    }
    const limitsNothing = /^min(Length|Items|Properties)$/.test(keyword) && after === 0;
    return limitsNothing ? [] : [`${keyword} ${after} added`];
  };
  return [
    ...upperLimits.flatMap(keyword => compare(keyword, (before, after) => after < before, 'lowered')),
    ...lowerLimits.flatMap(keyword => compare(keyword, (before, after) => after > before, 'raised')),
  ];
}

function forms(old: Node, now: Node): string[] {
  const changed = ['pattern', 'format', 'multipleOf'].flatMap(keyword => {
    const [before, after] = [old.value[keyword], now.value[keyword]];
    if (after === undefined || after === before) return [];
    if (keyword === 'pattern' && isSamePattern(String(before), String(after))) return [];
    return [
      before === undefined ? `${keyword} ${after} added` : `${keyword} changed from ${before} to ${after}`,
    ];
  });
  const unique = now.value.uniqueItems === true && old.value.uniqueItems !== true;
  return unique ? [...changed, 'uniqueItems added'] : changed;
}

/** The same pattern in other escapes. A negated class that no longer names surrogates accepts more, never less. */
function isSamePattern(before: string, after: string): boolean {
  const loosened = before.replaceAll(/\[\^[^\]]*\]/g, negated => negated.replaceAll('\\uD800-\\uDFFF', ''));
  const inHex = (pattern: string) => pattern.replaceAll('\\u00', '\\x');
  return inHex(loosened) === inHex(after);
}

function closed(old: Node, now: Node): string[] {
  const turned = now.value.additionalProperties === false && old.value.additionalProperties !== false;
  return turned ? ['additionalProperties turned false'] : [];
}

function required(where: string, old: Node, now: Node): string[] {
  const before = strings(old, 'required');
  const added = strings(now, 'required').filter(name => !before.includes(name));
  return added.map(name => `${where}.${name}: newly required`);
}

function properties(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  const after = children(now, 'properties');
  return [...children(old, 'properties')].flatMap(([name, before]) => {
    const kept = after.get(name) ?? extraProperties(now);
    if (kept === 'anything') return isKnown(now) ? [`${where}.${name}: lost`] : [];
    return kept ? narrowedRequest(`${where}.${name}`, before, kept, seen) : [`${where}.${name}: lost`];
  });
}

/** The schema for properties that are not named. A schema without any properties has no opinion on them. */
function extraProperties(schema: Node): Node | 'anything' | undefined {
  const { additionalProperties } = schema.value;
  if (additionalProperties === false) return undefined;
  return isObject(additionalProperties) ? at(schema, 'additionalProperties') : 'anything';
}

const isKnown = (schema: Node) => isObject(schema.value.properties);

function items(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  const [before, after] = [at(old, 'items'), at(now, 'items')];
  if (after === undefined) return [];
  if (before === undefined) return [`${where}[]: a schema of the items added`];
  return narrowedRequest(`${where}[]`, before, after, seen);
}

/** Each old alternative must still be accepted by one of the new ones. */
function choices(where: string, old: Node, now: Node, seen: readonly string[]): string[] {
  const [before, after] = [alternatives(old), alternatives(now)];
  if (after.length === 0) return [];
  if (before.length === 0) return [`${where}: alternatives added, one of which must hold`];
  const isTaken = (alternative: Node) =>
    after.some(candidate => narrowedRequest(where, alternative, candidate, seen).length === 0);
  return before.flatMap((alternative, index) =>
    isTaken(alternative) ? [] : [`${where}: alternative ${index + 1} lost or narrowed`],
  );
}

/** A recursive schema is visited once. */
export const keyOf = (older: Node, newer: Node) => JSON.stringify([older.value, newer.value]);
export const isRound = (older: Node, newer: Node, seen: readonly string[]) =>
  seen.includes(keyOf(older, newer));
