import type { Engine } from './engine.ts';
import { freePort } from './free-port.ts';
import { startNats } from './nats.ts';

/** NATS servers that replicate streams. */
export type NatsCluster = {
  readonly nodes: ReadonlyMap<string, Engine>;
  /** The addresses of all servers, separated by commas. */
  readonly url: string;
  remove(): Promise<void>;
};

export async function startNatsCluster(size: number): Promise<NatsCluster> {
  const names = Array.from({ length: size }, (_, i) => `n${i}`);
  const ports: number[] = [];
  for (const _ of names) ports.push(await freePort());
  const routes = ports.map(port => `"nats://127.0.0.1:${port}"`).join(', ');
  const cluster = (port: number) =>
    `cluster { name: "signpost", listen: "127.0.0.1:${port}", routes: [${routes}] }`;
  const started = await Promise.all(
    names.map(async (name, i) => {
      const engine = await startNats({ config: `server_name: "${name}"\n${cluster(ports[i]!)}` });
      return [name, engine] as const;
    }),
  );
  const nodes = new Map<string, Engine>(started);
  return {
    nodes,
    url: [...nodes.values()].map(({ url }) => url).join(','),
    async remove() {
      for (const engine of nodes.values()) await engine.remove();
    },
  };
}
