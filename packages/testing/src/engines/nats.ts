import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needBinary } from './binaries.ts';
import { Engine, engineDirectory } from './engine.ts';
import { firstLine } from './first-line.ts';
import { freePort } from './free-port.ts';

export type NatsOptions = {
  readonly port?: number;
  /** Holds the streams, the configuration and the log. Default: a new temporary one. */
  readonly dir?: string;
  /** Lines added to the configuration file. */
  readonly config?: string;
  readonly detached?: boolean;
  /** False as in Debian's default configuration, which Signpost has to refuse. */
  readonly jetStream?: boolean;
};

/** Starts a NATS server, with JetStream by default. */
export async function startNats(options: NatsOptions = {}): Promise<Engine> {
  const port = options.port ?? (await freePort());
  const place = engineDirectory('nats', options.dir);
  mkdirSync(place.dir, { recursive: true });
  const configFile = join(place.dir, 'nats.conf');
  writeFileSync(configFile, configuration(port, place.dir, options));
  return new Engine({
    name: `NATS on port ${port}`,
    url: `nats://127.0.0.1:${port}`,
    port,
    ...place,
    command: needBinary('nats-server'),
    args: ['-c', configFile],
    detached: options.detached,
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: () => natsAnswers(port, options.jetStream ?? true),
  }).start();
}

/** A NATS server greets with its INFO line, which says whether it has JetStream. */
export async function natsAnswers(port: number, jetStream = true): Promise<boolean> {
  const line = await firstLine(port);
  if (!line.startsWith('INFO ')) return false;
  return !jetStream || (JSON.parse(line.slice('INFO '.length)) as { jetstream?: boolean }).jetstream === true;
}

/** Whether this NATS knows the setting of deploy/nats.conf that writes to the disk before it acknowledges: since 2.10. */
export function knowsSyncAlways(): boolean {
  const version = execFileSync(needBinary('nats-server'), ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(version)!;
  return Number(major) > 2 || Number(minor) >= 10;
}

function configuration(port: number, dir: string, { config = '', jetStream = true }: NatsOptions): string {
  const store = `store_dir: ${JSON.stringify(join(dir, 'jetstream'))}`;
  const log = jetStream
    ? `jetstream { ${store}${knowsSyncAlways() ? ', sync_interval: always' : ''} }\n`
    : '';
  return `listen: "127.0.0.1:${port}"\n${log}${config}\n`;
}
