import { createServer } from 'node:net';

/** Takes every mail, and keeps it as it came. */
export async function startSmtpSink(): Promise<{ url: string; mails: string[]; close(): void }> {
  const mails: string[] = [];
  const server = createServer(socket => {
    let inMail = false;
    let text = '';
    let mail = '';
    socket.write('220 sink\r\n');
    socket.on('error', () => undefined);
    socket.on('data', chunk => {
      text += chunk;
      const lines = text.split('\r\n');
      text = lines.pop()!;
      for (const line of lines) {
        if (inMail && line === '.') {
          inMail = false;
          mails.push(mail);
          socket.write('250 kept\r\n');
        } else if (inMail) mail += `${line}\n`;
        else if (/^DATA/i.test(line)) {
          inMail = true;
          mail = '';
          socket.write('354 go on\r\n');
        } else socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}
