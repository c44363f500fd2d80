import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestServer } from './server.ts';

/** What the event loop of a server did since the last reading. */
export type LoopReading = {
  readonly turns: number;
  /** CPU of the main thread. */
  readonly cpuMs: number;
  /** CPU of the main thread in one turn: for so long it served nobody else. */
  readonly longestCpuMs: number;
  /** The time that a turn took, in which the thread may have waited for a core. */
  readonly longestWallMs: number;
  /** The most memory that the process had. */
  readonly rssMb: number;
};

export type LoopWatch = {
  /** For the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The reading of the time since the last one. */
  read(server: Pick<TestServer, 'pid'>): Promise<LoopReading>;
};

const preload = new URL('loop-watch-process.ts', import.meta.url);

/** Measures every turn of the event loop of servers that get its environment. */
export function createLoopWatch(): LoopWatch {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-loop-'));
  return {
    env: {
      NODE_OPTIONS: `--import ${preload.href}`,
      LOOP_WATCH_DIR: dir,
    },
    read: ({ pid }) => readSocket(join(dir, String(pid))),
  };
}

const readSocket = (socketPath: string): Promise<LoopReading> =>
  new Promise((resolve, reject) => {
    request({ socketPath }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    })
      .on('error', reject)
      .end();
  });
