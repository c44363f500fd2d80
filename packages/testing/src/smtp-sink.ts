import { createServer } from 'node:net';
import { waitUntil } from './engines/wait.ts';

/** An SMTP server that accepts every mail and keeps its source. */
export type SmtpSink = {
  readonly url: string;
  readonly mails: string[];
  /** Waits for the first mail that contains all of these texts, with quoted-printable decoded. */
  mail(...texts: readonly string[]): Promise<string>;
  close(): void;
};

export async function startSmtpSink(): Promise<SmtpSink> {
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
          socket.write('250 ok\r\n');
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
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async mail(...texts) {
      const find = () => mails.map(decodeMail).find(mail => texts.every(text => mail.includes(text)));
      await waitUntil(`a mail with ${texts.join(', ')}`, () => find() !== undefined);
      return find()!;
    },
    close: () => server.close(),
  };
}

/** Decodes quoted-printable. */
export const decodeMail = (mail: string) =>
  mail
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
