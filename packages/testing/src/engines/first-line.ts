import { connect } from 'node:net';

/** Connects to a port of 127.0.0.1, sends `greeting`, and returns the first line of the response. */
export function firstLine(port: number, greeting = '', timeoutMs = 1_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`No answer on port ${port}`)));
    socket.on('connect', () => socket.write(greeting));
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n');
      if (end < 0) return;
      resolve(text.slice(0, end));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`Port ${port} closed without an answer`)));
  });
}
