import { operations, type Role } from '@signpost/contract';
import { type Change, change, changed, validValue } from '@signpost/testing/openapi/arbitraries.ts';
import type { ApiDocument, FuzzOperation, Parameter } from '@signpost/testing/openapi/document.ts';
import fc from 'fast-check';
import * as hostile from './hostile.ts';
import { encode, type Header, type Request } from './request.ts';

/** One request. Ids are chosen when it is sent, because only then it is known which exist. */
export type Case = {
  readonly operation: FuzzOperation;
  /** What was done to the request, for the report. */
  readonly notes: readonly string[];
  readonly who: Who;
  readonly method: string;
  readonly target: readonly (string | IdChoice)[];
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  readonly trick: hostile.Trick | null;
  /** Something other than values and bodies is wrong, so the request may not reach its operation. */
  readonly astray: boolean;
};

/** People of the account of the key `live`, by role. */
export const people = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[];
const callers = ['live', 'test', 'foreign', 'scarce', 'nobody', ...people] as const;
export type Who = (typeof callers)[number];

export const isPerson = (who: Who): who is (typeof people)[number] => people.some(person => person === who);

/** An id of this collection: the caller's own, another tenant's, a deleted one. */
export type IdChoice = {
  readonly collection: string;
  readonly kind: 'own' | 'foreign' | 'deleted';
  readonly pick: number;
};

/** Every kind of request to an operation, valid and invalid. */
export function casesOf(operation: FuzzOperation, document: ApiDocument): fc.Arbitrary<Case> {
  const usual = usualCase(operation, document);
  const and = <Thing>(
    things: fc.Arbitrary<hostile.Hostile<Thing>>,
    apply: (base: Case, thing: Thing) => Partial<Case>,
  ) =>
    fc
      .tuple(usual, things)
      .map(([base, { name, thing }]) => ({ ...base, ...apply(base, thing), notes: [...base.notes, name] }));
  return fc.oneof(
    { weight: 55, arbitrary: usual },
    { weight: 12, arbitrary: and(hostile.hostileHeaders, (base, headers) => besides(base, headers)) },
    { weight: 9, arbitrary: and(hostile.hostilePath, (base, bend) => bent(base, bend)) },
    {
      weight: 6,
      arbitrary: fc.tuple(usual, hostile.hostileMethod).map(([base, method]) => ({
        ...base,
        method,
        notes: [...base.notes, `method ${method}`],
        astray: true,
      })),
    },
    { weight: 9, arbitrary: and(hostile.trick, (_base, trick) => ({ trick, astray: true })) },
  );
}

function usualCase(operation: FuzzOperation, document: ApiDocument): fc.Arbitrary<Case> {
  return fc
    .record({
      who: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom<Who>('live', 'test') },
        { weight: 2, arbitrary: fc.constantFrom<Who>('foreign', 'nobody') },
        { weight: 3, arbitrary: fc.constantFrom<Who>(...people) },
        { weight: 1, arbitrary: fc.constant<Who>('scarce') },
      ),
      path: fc.tuple(...pathOf(operation)),
      query: queryOf(operation, document),
      headers: headersOf(operation, document),
      body: bodyOf(operation, document),
    })
    .map(({ who, path, query, headers, body }) => ({
      operation,
      notes: body.notes,
      who,
      method: operation.method,
      target: [...path, query],
      headers: body.bytes ? [['content-type', 'application/json'], ...headers] : headers,
      body: body.bytes,
      trick: null,
      astray: false,
    }));
}

function pathOf({ path }: FuzzOperation): fc.Arbitrary<string | IdChoice>[] {
  const parts = path.split(/(\{\w+\})/);
  return parts.map((part, index) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const collection = parts[index - 1]!.split('/').at(-2) ?? '';
    const choice = fc.record({
      collection: fc.constant(collection),
      kind: fc.constantFrom<IdChoice['kind']>('own', 'own', 'own', 'own', 'foreign', 'deleted'),
      pick: fc.nat(),
    });
    return fc.oneof({ weight: 5, arbitrary: choice }, { weight: 1, arbitrary: hostile.hostileId });
  });
}

function queryOf(operation: FuzzOperation, document: ApiDocument): fc.Arbitrary<string> {
  const pairs = operation.parameters
    .filter(parameter => parameter.in === 'query')
    .map(parameter => sometimes(pairOf(parameter, document), parameter.required ? 0.95 : 0.5));
  const junk = fc.tuple(hostile.hostileText, hostile.hostileText).map(([name, value]) => [pair(name, value)]);
  return fc
    .tuple(fc.tuple(...pairs), sometimes(junk, 0.1))
    .map(([known, unknown]) => [...known.flat(), ...unknown].join('&'))
    .map(query => (query === '' ? '' : `?${query}`));
}

function pairOf({ name, schema }: Parameter, document: ApiDocument): fc.Arbitrary<string[]> {
  const valid = validValue(schema, document.resolve).map(value =>
    [value].flat().map(one => pair(name, String(one))),
  );
  const wrong = hostile.hostileText.map(value => [pair(name, value)]);
  const twice = valid.map(pairs => [...pairs, ...pairs]);
  return fc.oneof({ weight: 6, arbitrary: valid }, { weight: 3, arbitrary: wrong }, twice);
}

/** The list of the arbitrary in this share of cases; otherwise an empty one. */
const sometimes = <Thing>(some: fc.Arbitrary<Thing[]>, share: number): fc.Arbitrary<Thing[]> =>
  fc.oneof(
    { weight: 100 - 100 * share, arbitrary: fc.constant<Thing[]>([]) },
    { weight: 100 * share, arbitrary: some },
  );

const pair = (name: string, value: string) => `${encode(name)}=${encode(value)}`;

function headersOf(operation: FuzzOperation, document: ApiDocument): fc.Arbitrary<Header[]> {
  const optional = operation.parameters
    .filter(parameter => parameter.in === 'header')
    .map(({ name, schema }) => {
      // A few recurring values, so that some requests are repeats and some only look like it.
      const value = fc.oneof(
        fc.nat({ max: 30 }).map(String),
        validValue(schema, document.resolve).map(text => String(text).replace(/[^\x21-\x7e]/g, '-')),
      );
      return sometimes(
        value.map((text): Header[] => [[name.toLowerCase(), text]]),
        0.5,
      );
    });
  return fc.tuple(...optional).map(found => found.flat());
}

type Body = { readonly bytes: Buffer | null; readonly notes: readonly string[] };

/** A placeholder in a value, which is replaced by invalid JSON when it is serialised. */
const mark = '\u0001here\u0001';

function bodyOf({ body, method }: FuzzOperation, document: ApiDocument): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ bytes: null, notes: [] });
  const junk = hostile.hostileBytes.map(({ name, thing }) => ({
    bytes: thing(Buffer.from('{}')),
    notes: [`body: ${name}`],
  }));
  if (!body) return fc.oneof({ weight: method === 'GET' ? 30 : 5, arbitrary: none }, junk);

  const valid = validValue(body, document.resolve);
  const where = fc.nat();
  const right = valid.map(value => ({ bytes: write(value), notes: [] }));
  const nearly = fc
    .tuple(valid, fc.array(fc.tuple(where, change), { minLength: 1, maxLength: 2 }))
    .map(([value, changes]) => ({
      bytes: write(changes.reduce<unknown>((now, [at, how]) => changed(now, at, how), value)),
      notes: [],
    }));
  const broken = fc.tuple(valid, where, hostile.hostileJson).map(([value, at, { name, thing }]) => {
    const hole: Change = { kind: 'replace', value: mark };
    const text = JSON.stringify(changed(value, at, hole)).replace(JSON.stringify(mark), () => thing);
    return { bytes: Buffer.from(text), notes: [`in the body: ${name}`] };
  });
  const bytes = fc.tuple(valid, hostile.hostileBytes).map(([value, { name, thing }]) => {
    return { bytes: thing(write(value)), notes: [`body: ${name}`] };
  });
  return fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 8, arbitrary: nearly },
    { weight: 4, arbitrary: broken },
    { weight: 3, arbitrary: bytes },
    { weight: 1, arbitrary: none },
  );
}

const write = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '');

function besides(base: Case, headers: readonly Header[]): Partial<Case> {
  const replaced = new Set(headers.map(([name]) => name));
  const kept = base.headers.filter(([name]) => !replaced.has(name));
  return { headers: [...kept, ...headers], astray: true };
}

function bent(base: Case, bend: (path: string) => string): Partial<Case> {
  const path = base.target.slice(0, -1);
  const words = path.map(part => (typeof part === 'string' ? part : '{}')).join('');
  const ids = path.filter(part => typeof part !== 'string');
  const pieces = bend(words).split('{}');
  return { target: pieces.flatMap((piece, index) => [piece, ids[index] ?? '']), astray: true };
}

/** The case as a request, with current ids and a key. */
export function toRequest(
  one: Case,
  idOf: (choice: IdChoice) => string,
  credentials: readonly Header[],
): Request {
  const given = one.headers.some(([name]) => name === 'authorization');
  const target = one.target.map(part => (typeof part === 'string' ? part : idOf(part))).join('');
  const { authScheme } = operations[one.operation.id as keyof typeof operations];
  return {
    method: one.method,
    // What a key may do, a session may do under /account.
    target:
      isPerson(one.who) && authScheme === 'apiKey' && target.startsWith('/v1/')
        ? `/account${target}`
        : target,
    headers: given && !isPerson(one.who) ? one.headers : [...credentials, ...one.headers],
    body: one.body,
  };
}
