import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between a server and an engine that can inspect, delay, drop or cut the traffic. */
export type EngineProxy = {
  readonly port: number;
  /** Called with each response of the engine before it is forwarded; false drops it. */
  onAnswer: ((data: Buffer) => boolean) | null;
  /**
   * True: a black hole. It accepts connections and bytes, and forwards nothing in either direction. A connection that has lost
   * bytes stays silently dead afterwards, as behind a router that has dropped its state.
   */
  silent: boolean;
  /** Delay of each packet in each direction. */
  delayMs: number;
  /** Closes the open connections; new ones are accepted. */
  cut(): void;
  /** Forwards nothing more over the open connections, which stay open; new ones work. */
  forsake(): void;
  close(): void;
};

export async function startProxy(targetPort: number): Promise<EngineProxy> {
  const sockets = new Set<Socket>();
  const links = new Set<{ isDead: boolean }>();
  const server = createServer(client => {
    const engine = connect(targetPort, '127.0.0.1');
    const link = { isDead: proxy.silent };
    links.add(link);
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        links.delete(link);
        client.destroy();
        engine.destroy();
      });
    }
    client.on('data', data => pass(data, engine, link));
    engine.on('data', data => {
      if (proxy.onAnswer === null || proxy.onAnswer(data)) pass(data, client, link);
    });
  });

  function pass(data: Buffer, to: Socket, link: { isDead: boolean }): void {
    link.isDead ||= proxy.silent;
    if (link.isDead) return;
    // Timers of the same duration fire in the order in which they were set, so packets stay in order.
    if (proxy.delayMs === 0) to.write(data);
    else setTimeout(() => to.destroyed || link.isDead || to.write(data), proxy.delayMs);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: EngineProxy = {
    port: (server.address() as { port: number }).port,
    onAnswer: null,
    silent: false,
    delayMs: 0,
    cut,
    forsake() {
      for (const link of links) link.isDead = true;
    },
    close() {
      server.close();
      cut();
    },
  };
  return proxy;
}
