import { type ClickHouse, createClickHouse } from './clickhouse.ts';

/** ClickHouse for a role that asks it seldom: the client is made with the first question. */
export function createLateClickHouse(url: string): ClickHouse {
  let made: Promise<ClickHouse> | undefined;
  const client = () => {
    made ??= createClickHouse(url);
    return made;
  };
  return {
    query: async (...question) => (await client()).query(...question),
    command: async (...question) => (await client()).command(...question),
    insert: async (...rows) => (await client()).insert(...rows),
    close: async () => (await made)?.close(),
  };
}
