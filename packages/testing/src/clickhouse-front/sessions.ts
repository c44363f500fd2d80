import { Session } from 'chdb';
import type { FrontRequest } from './request.ts';

/** A few connections to the single engine of this process. Each runs one query at a time, with its own settings. */
export type Sessions = {
  run<Result>(request: FrontRequest, work: (session: Session) => Promise<Result>): Promise<Result>;
  close(): void;
};

/** As many as libuv has threads by default, on which chDB runs its queries. */
const most = 4;

type Held = { readonly session: Session; settings: Readonly<Record<string, string>>; database: string };

export function createSessions(dir: string): Sessions {
  // The databases are loaded before the first query, so that no query sees only some of them.
  const options = { connectionArgs: ['--async_load_databases=0', '--async_load_system_database=0'] };
  const all: Held[] = [];
  const free: Held[] = [];
  const waiting: ((held: Held) => void)[] = [];

  function take(): Promise<Held> {
    const held = free.pop();
    if (held) return Promise.resolve(held);
    if (all.length === most) return new Promise(resolve => waiting.push(resolve));
    const made: Held = { session: new Session(dir, options), settings: {}, database: 'default' };
    all.push(made);
    return Promise.resolve(made);
  }

  return {
    async run(request, work) {
      const held = await take();
      try {
        await prepare(held, request);
        return await work(held.session);
      } finally {
        const next = waiting.shift();
        if (next) next(held);
        else free.push(held);
      }
    },
    close() {
      for (const { session } of all) session.close();
    },
  };
}

/**
 * Settings stay with a connection, so settings of the previous query that this one lacks are reset. Parameters of a query are
 * settings too, escaped as in a URL: the engine unescapes them itself, as it does behind HTTP.
 */
async function prepare(held: Held, { settings, database }: FrontRequest): Promise<void> {
  const before = held.settings;
  const gone = Object.keys(before).filter(name => !(name in settings) && !name.startsWith('param_'));
  const changed = Object.entries(settings).filter(([name, value]) => before[name] !== value);
  const statements = [
    ...gone.map(name => `SET ${identifier(name)} = DEFAULT`),
    ...changed.map(([name, value]) => `SET ${identifier(name)} = ${literal(value)}`),
    ...(held.database === database ? [] : [`USE ${identifier(database)}`]),
  ];
  // If one of them is refused, the next query sets all of its settings.
  held.settings = { ...before, ...Object.fromEntries(changed.map(([name]) => [name, ''])) };
  if (statements.length > 0) await held.session.queryAsync(statements.join('; '));
  held.settings = settings;
  held.database = database;
}

function identifier(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`Code: 62. DB::Exception: No name: ${name}. (SYNTAX_ERROR)`);
  return `\`${name}\``;
}

const literal = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
