import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a server and its PostgreSQL and can see, hold back or cut what passes. */
export type EngineProxy = {
  readonly port: number;
  /** Called with what the engine answers, before it is passed on; false: it is not passed on. */
  onAnswer: ((data: Buffer) => boolean) | null;
  close(): void;
};

export async function startProxy(targetPort: number): Promise<EngineProxy> {
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const engine = connect(targetPort, '127.0.0.1');
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    client.on('data', data => engine.write(data));
    engine.on('data', data => {
      if (proxy.onAnswer === null || proxy.onAnswer(data)) client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: EngineProxy = {
    port: (server.address() as { port: number }).port,
    onAnswer: null,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
