import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Engine } from './engines/engine.ts';
import { startPostgres } from './engines/postgres.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { runCommand } from './server.ts';

const composeFile = new URL('../../../deploy/compose.yaml', import.meta.url);

/** What compose.yaml sets to stay small: for PostgreSQL, and for the process. */
function composeSettings() {
  const { services } = parse(readFileSync(composeFile, 'utf8'), { merge: true });
  const words: readonly string[] = services.postgres.command;
  const postgres = Object.fromEntries(
    words.filter(word => word.includes('=')).map(word => word.split('=', 2) as [string, string]),
  );
  return { postgres, poolSize: String(services.signpost.environment.DATABASE_POOL_SIZE) };
}

/** An installation of `signpost solo` with a PostgreSQL of its own, as compose.yaml runs it, migrated; nothing runs yet. */
export type SoloFixture = {
  readonly fixture: Fixture;
  readonly postgres: Engine;
  /** Everything that the process writes. */
  readonly dir: string;
  /** Runs a command as an operator does beside the process. */
  command(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
};

/** `disk`: where everything is written, PostgreSQL's files too; by default a directory each under the temporary one. */
export async function createSoloFixture(
  more: Record<string, string> = {},
  disk?: string,
): Promise<SoloFixture> {
  const settings = composeSettings();
  const postgres = await startPostgres({
    settings: settings.postgres,
    ...(disk === undefined ? {} : { dir: join(disk, 'postgres') }),
  });
  const dir = disk ?? mkdtempSync(join(tmpdir(), 'signpost-solo-'));
  const fixture = await createFixture(
    {
      REDIS_URL: '',
      DATABASE_POOL_SIZE: settings.poolSize,
      NATS_URL: '',
      CLICKHOUSE_URL: '',
      SPOOL_DIR: join(dir, 'spool'),
      UNKNOWN_CODES_PER_MINUTE: '100000000',
      WEBHOOK_SECRET_KEYS: Buffer.alloc(32, 'k').toString('base64'),
      AUTH_SECRET: 'a secret of thirty-two characters',
      LOG_LEVEL: 'warn',
      ...more,
    },
    postgres.url,
  );
  const command = async (...args: readonly string[]) => {
    const { code, output } = await runCommand(args, fixture.env);
    if (code !== 0) throw new Error(`signpost ${args.join(' ')} ended with ${code}: ${output}`);
    return output;
  };
  await command('migrate');
  return {
    fixture,
    postgres,
    dir,
    command,
    async close() {
      await fixture.close();
      await postgres.remove();
    },
  };
}
