import type { FastifyReply } from 'fastify';
import { mapInTurns } from '../kernel/running/cpu-queue.ts';

/** A list in a response whose items are presented and serialized in turns of the event loop, since it may be megabytes. */
class ListInTurns<Wire> {
  readonly #serialize: (toJson: (item: Wire) => string) => Promise<Buffer[]>;

  constructor(serialize: (toJson: (item: Wire) => string) => Promise<Buffer[]>) {
    this.#serialize = serialize;
  }

  serialize(toJson: (item: Wire) => string): Promise<Buffer[]> {
    return this.#serialize(toJson);
  }
}

/** Takes the place of the array of a handler's response. */
export const listInTurns = <Item, Wire>(
  items: readonly Item[],
  present: (item: Item, index: number) => Wire,
): Wire[] =>
  new ListInTurns<Wire>(toJson =>
    // As bytes: they cost the garbage collector nothing.
    mapInTurns(items, (item, index) => Buffer.from(toJson(present(item, index)))),
  ) as unknown as Wire[];

/** The same of items that were serialized before, by `itemSerializer`, so that none of them need be kept. */
export const serializedList = (items: readonly Buffer[]): never[] =>
  new ListInTurns(async () => [...items]) as unknown as never[];

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly 'x-discriminator'?: string;
};

/** Whether a part of the response is to be serialized in turns. */
export const hasListInTurns = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.values(body).some(part => part instanceof ListInTurns);

/**
 * The JSON of a response in pieces, in the order of the properties of its schema, as the serializer of the route would write it. What
 * stands beside a list is small and has no schema of its own to follow.
 */
export async function serializeInTurns(
  reply: Pick<FastifyReply, 'compileSerializationSchema'>,
  schema: object,
  body: object,
): Promise<Buffer[]> {
  const { properties = {} }: Schema = schema;
  const pieces: Buffer[] = [];
  const write = (text: string) => void pieces.push(Buffer.from(text));
  for (const [name, part] of Object.entries(properties)) {
    const value = (body as Record<string, unknown>)[name];
    if (value === undefined) continue;
    write(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (value instanceof ListInTurns) {
      const items = await value.serialize(itemSerializer(reply, part.items ?? {}));
      pieces.push(
        openBracket,
        ...items.flatMap((item, at) => (at === 0 ? [item] : [comma, item])),
        closeBracket,
      );
    } else write(JSON.stringify(value));
  }
  write('}');
  return pieces;
}

const [openBracket, comma, closeBracket] = ['[', ',', ']'].map(text => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Of several alternatives the one that the discriminator names: to find it by validation takes longer than to write it. */
export function itemSerializer(
  reply: Pick<FastifyReply, 'compileSerializationSchema'>,
  schema: object,
): (item: unknown) => string {
  const items: Schema = schema;
  const compile = (schema: Schema) =>
    reply.compileSerializationSchema(schema as Record<string, unknown>) as (item: unknown) => string;
  const { anyOf, 'x-discriminator': name } = items;
  if (!anyOf || name === undefined) return compile(items);
  const byWord = new Map(anyOf.map(one => [one.properties?.[name]?.const, compile(one)]));
  return item => byWord.get((item as Record<string, unknown>)[name])!(item);
}
