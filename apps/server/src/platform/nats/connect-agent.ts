import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** A running machine accepts a connection within this time; one that is down often does not answer at all. */
const connectTimeoutMs = 800;

/** Keeps connections alive, and limits the time to connect: the time limits of requests only start after it. */
export function createAgent(url: string, maxSockets: number): Agent {
  const options: AgentOptions = { keepAlive: true, maxSockets };
  const agent = url.startsWith('https:') ? new TlsAgent(options) : new Agent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args: Parameters<typeof connect>) => {
    const socket = connect(...args) as Socket | undefined;
    if (socket?.connecting) {
      const giveUp = () => socket.destroy(new Error(`no connection within ${connectTimeoutMs} ms`));
      const timer = setTimeout(giveUp, connectTimeoutMs);
      socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    return socket;
  };
  return agent;
}
