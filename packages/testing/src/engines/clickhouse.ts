import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, engineDirectory } from './engine.ts';
import { freePort } from './free-port.ts';

export type ClickHouseOptions = {
  readonly port?: number;
  /** Holds the data and the log. Default: a new temporary one. */
  readonly dir?: string;
  readonly detached?: boolean;
};

const front = new URL('../clickhouse-front.ts', import.meta.url).pathname;

/** Starts ClickHouse's engine (chDB) behind ClickHouse's HTTP interface, in its own process. */
export async function startClickHouse(options: ClickHouseOptions = {}): Promise<Engine> {
  const port = options.port ?? (await freePort());
  const place = engineDirectory('clickhouse', options.dir);
  mkdirSync(place.dir, { recursive: true });
  return new Engine({
    name: `ClickHouse on port ${port}`,
    url: `http://127.0.0.1:${port}`,
    port,
    ...place,
    command: process.execPath,
    args: [front, '--port', String(port), '--dir', join(place.dir, 'data')],
    detached: options.detached,
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: () => clickHouseAnswers(port),
    // After kill -9 the engine's threads take a moment to release its directory.
    worthRetrying: log => /lock|already running/i.test(log),
  }).start();
}

async function clickHouseAnswers(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/ping`, { signal: AbortSignal.timeout(1_000) });
  return (await response.text()) === 'Ok.\n';
}
