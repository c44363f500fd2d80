import { mkdirSync } from 'node:fs';
import { needBinary } from './binaries.ts';
import { Engine, engineDirectory } from './engine.ts';
import { firstLine } from './first-line.ts';
import { freePort } from './free-port.ts';

export type RedisOptions = {
  readonly port?: number;
  readonly dir?: string;
  /** Arguments of redis-server. By default it persists nothing: a lost Redis must not lose anything that matters. */
  readonly args?: readonly string[];
  readonly detached?: boolean;
};

export async function startRedis(options: RedisOptions = {}): Promise<Engine> {
  const port = options.port ?? (await freePort());
  const place = engineDirectory('redis', options.dir);
  mkdirSync(place.dir, { recursive: true });
  const address = ['--bind', '127.0.0.1', '--port', String(port)];
  const storage = ['--dir', place.dir, '--save', '', '--appendonly', 'no'];
  return new Engine({
    name: `Redis on port ${port}`,
    url: `redis://127.0.0.1:${port}`,
    port,
    ...place,
    command: needBinary('redis-server'),
    args: [...address, ...storage, ...(options.args ?? [])],
    detached: options.detached,
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: () => redisAnswers(port),
  }).start();
}

/** A Redis that is still loading its data says so instead of PONG. */
export async function redisAnswers(port: number): Promise<boolean> {
  return (await firstLine(port, 'PING\r\n')) === '+PONG';
}
