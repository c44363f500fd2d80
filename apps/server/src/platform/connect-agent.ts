import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** A machine that is there takes a connection within this time; one that is not often says nothing at all. */
const connectMs = 800;

/** Keeps connections, and gives up one that does not come about: the time limits of requests begin only behind it. */
export function createAgent(url: string, maxSockets: number): Agent {
  const options: AgentOptions = { keepAlive: true, maxSockets };
  const agent = url.startsWith('https:') ? new TlsAgent(options) : new Agent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args: Parameters<typeof connect>) => {
    const socket = connect(...args) as Socket | undefined;
    if (socket?.connecting) {
      const giveUp = () => socket.destroy(new Error(`no connection within ${connectMs} ms`));
      const timer = setTimeout(giveUp, connectMs);
      socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    return socket;
  };
  return agent;
}
