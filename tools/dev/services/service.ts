import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findBinary, postgresDirectories } from '@signpost/testing/engines/binaries.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { natsAnswers, startNats } from '@signpost/testing/engines/nats.ts';
import { postgresAnswers, postgresUser, startPostgres } from '@signpost/testing/engines/postgres.ts';
import { redisAnswers, startRedis } from '@signpost/testing/engines/redis.ts';

type Start = { readonly port: number; readonly dir: string; readonly detached: true };

/** An engine that Signpost needs for development and tests. */
export type Service = {
  readonly name: string;
  readonly key: 'postgres' | 'redis' | 'nats';
  /** The setting with its address, and the default on a new machine. */
  readonly setting: string;
  readonly defaultUrl: string;
  readonly purpose: string;
  readonly binary: string;
  readonly install: string;
  findBinary(): string | undefined;
  /** True when Signpost can work with what answers at the address; otherwise it throws or returns false. */
  answers(url: URL): Promise<boolean>;
  /** The data directory: inside the directory of the services, if the engine's user has access. */
  directory(services: string): string;
  start(options: Start): Promise<Engine>;
};

const portOf = (url: URL) => Number(url.port);

export const services: readonly Service[] = [
  {
    name: 'PostgreSQL',
    key: 'postgres',
    setting: 'DATABASE_URL',
    defaultUrl: 'postgres://postgres@127.0.0.1:5432/signpost',
    purpose: 'The truth: accounts, keys, codes.',
    binary: 'postgres',
    install:
      'Debian: apt-get install postgresql; macOS: brew install postgresql. Or set DATABASE_URL to one that runs elsewhere.',
    findBinary: () => findBinary('postgres', postgresDirectories()),
    answers: url => postgresAnswers(withDatabase(url, 'postgres')),
    directory: postgresDirectory,
    start: startPostgres,
  },
  {
    name: 'Redis',
    key: 'redis',
    setting: 'REDIS_URL',
    defaultUrl: 'redis://127.0.0.1:6379',
    purpose: 'Rate windows and leases; may be lost.',
    binary: 'redis-server',
    install: 'Debian: apt-get install redis-server; macOS: brew install redis',
    findBinary: () => findBinary('redis-server'),
    answers: url => redisAnswers(portOf(url)),
    directory: root => join(root, 'redis'),
    start: startRedis,
  },
  {
    name: 'NATS',
    key: 'nats',
    setting: 'NATS_URL',
    defaultUrl: 'nats://127.0.0.1:4222',
    purpose: 'The scan log and the webhook queue, in JetStream.',
    binary: 'nats-server',
    install: 'Debian: apt-get install nats-server; macOS: brew install nats-server',
    findBinary: () => findBinary('nats-server'),
    answers: url => natsAnswers(portOf(url)),
    directory: root => join(root, 'nats'),
    start: startNats,
  },
];

/** Those that `signpost solo` needs. */
export const soloServices = services.filter(({ key }) => key === 'postgres');

/** Whether these settings are of an installation in roles, which has engines besides PostgreSQL. */
export const namesEngines = (settings: Readonly<Record<string, string | undefined>>): boolean =>
  services.some(service => !soloServices.includes(service) && Boolean(settings[service.setting]));

export function withDatabase(url: URL, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/**
 * Root starts PostgreSQL as another user, who needs access to every parent directory. Where that is not the case (a clone in
 * root's home), the data is in /var/tmp, which survives a reboot.
 */
function postgresDirectory(root: string): string {
  if (postgresUser() === undefined || isOpenToAll(root)) return join(root, 'postgres');
  const project = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return join('/var/tmp', `signpost-${project}-postgres`);
}

function isOpenToAll(directory: string): boolean {
  const canEnter = (statSync(directory).mode & 0o001) !== 0;
  const parent = dirname(directory);
  return canEnter && (parent === directory || isOpenToAll(parent));
}
