import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Credentials, FromServer, Memory } from './server.ts';

/** The server under test, as seen from outside. */
export type Target = {
  readonly port: number;
  readonly credentials: Credentials;
  /** Errors in its log so far: faults that no response may have shown. */
  readonly errorLines: readonly string[];
  isAlive(): boolean;
  memory(): Promise<Memory>;
  /** False if it had to be killed. */
  stop(): Promise<boolean>;
};

const stopMs = 10_000;

export async function startTarget(args: readonly string[]): Promise<Target> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [...args], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const errorLines: string[] = [];
  child.on('message', (message: FromServer) => {
    if (message.kind === 'error line') errorLines.push(message.line);
  });
  const next = <Kind extends FromServer['kind']>(kind: Kind) =>
    new Promise<Extract<FromServer, { kind: Kind }>>((resolve, reject) => {
      const listen = (message: FromServer) => {
        if (message.kind !== kind) return;
        child.off('message', listen).off('exit', gone);
        resolve(message as Extract<FromServer, { kind: Kind }>);
      };
      const gone = () => reject(new Error('the server exited'));
      child.on('message', listen).on('exit', gone);
    });
  const { port, credentials } = await next('ready');
  return {
    port,
    credentials,
    errorLines,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async memory() {
      const answer = next('memory');
      child.send('memory?');
      return (await answer).memory;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return true;
      const gone = once(child, 'exit');
      const force = setTimeout(() => child.kill('SIGKILL'), stopMs);
      child.disconnect();
      await gone;
      clearTimeout(force);
      return child.signalCode === null;
    },
  };
}
