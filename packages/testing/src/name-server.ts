import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** Answers queries for A records with addresses or with a CNAME. Called for each query. */
export type Names = (name: string) => { readonly a?: readonly string[]; readonly cname?: string };

const [typeA, typeCname, typeAaaa] = [1, 5, 28];

/** A name server on this machine with the given records. IPv6 addresses are given with all eight groups. */
export async function startNameServer(names: Names, names6: (name: string) => readonly string[] = () => []) {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, from) => {
    queries++;
    const { name, type, end } = readQuestion(query);
    const { a = [], cname } = type === typeA ? names(name) : {};
    const alias = cname === undefined ? [] : [record(name, typeCname, writeName(cname))];
    const addresses = a.map(ip => record(cname ?? name, typeA, Buffer.from(ip.split('.').map(Number))));
    const addresses6 = type === typeAaaa ? names6(name).map(ip => record(name, typeAaaa, bytesOf6(ip))) : [];
    const answers = [...alias, ...addresses, ...addresses6];
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    questions: () => queries,
    close: () => new Promise<void>(resolve => socket.close(() => resolve())),
  };
}

/** A name server that receives every query and never answers. */
export async function startSilentNameServer() {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', () => queries++);
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    questions: () => queries,
    close: () => new Promise<void>(resolve => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

const bytesOf6 = (address: string) =>
  Buffer.from(
    address.replaceAll(/[^:]+:?/g, group => group.replace(':', '').padStart(4, '0')),
    'hex',
  );

/** A resource record with a TTL of 0. */
function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fixed, data]);
}
