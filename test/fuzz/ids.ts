import type { FuzzOperation } from '@signpost/testing/openapi/document.ts';
import { type IdChoice, isPerson, type Who } from './cases.ts';

/** The ids from responses, so that requests can refer to things that exist. */
export type Ids = ReturnType<typeof createIds>;

const kept = 300;
const unknown = '01ghhhhhhhhhhhhhhhhhhhhhhh';

export function createIds() {
  const pools = new Map<string, string[]>();
  const pool = (...name: string[]) => {
    const key = name.join(' ');
    if (!pools.has(key)) pools.set(key, []);
    return pools.get(key)!;
  };

  return {
    /** Collects ids from the response of an operation. */
    learn(caller: Who, operation: FuzzOperation, answer: unknown): void {
      const who = toOwner(caller);
      const collection = collectionOf(operation);
      for (const id of idsIn(answer)) {
        const own = pool(who, collection);
        const at = own.indexOf(id);
        if (operation.method === 'DELETE') {
          if (at >= 0) own.splice(at, 1);
          remember(pool(who, collection, 'deleted'), id);
        } else if (at < 0) remember(own, id);
      }
    },

    choose(caller: Who, { collection, kind, pick }: IdChoice): string {
      const who = toOwner(caller);
      const other: Who = who === 'foreign' ? 'live' : 'foreign';
      const from = {
        own: pool(who, collection),
        foreign: pool(other, collection),
        deleted: pool(who, collection, 'deleted'),
      }[kind];
      return from[pick % from.length] ?? `${pool(who, collection)[0]?.split('_')[0] ?? 'qr'}_${unknown}`;
    },
  };
}

/** People use the account of the live key. */
const toOwner = (who: Who): Who => (isPerson(who) ? 'live' : who);

const collectionOf = ({ path }: FuzzOperation) =>
  path
    .split('/')
    .filter(part => !part.startsWith('{'))
    .at(-1)!;

function remember(list: string[], id: string): void {
  list.push(id);
  if (list.length > kept) list.shift();
}

function idsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'id' && typeof inner === 'string' ? [inner] : idsIn(inner),
  );
}
