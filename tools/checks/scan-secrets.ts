import { parseArgs } from 'node:util';
import { filesUnder, scanFile } from './scan-secrets/files.ts';
import { scanRedis } from './scan-secrets/redis.ts';

const { values, positionals } = parseArgs({
  options: { redis: { type: 'string', multiple: true } },
  allowPositionals: true,
});

let [files, bytes, keys] = [0, 0, 0];
let unreadable = 0;

for (const path of positionals) {
  try {
    for (const file of filesUnder(path)) {
      const scanned = scanFile(file);
      files++;
      bytes += scanned.bytes;
      keys += scanned.keys.length;
      for (const { offset, masked } of scanned.keys) console.log(`${file}:${offset} ${masked}`);
    }
  } catch (error) {
    unreadable++;
    console.error(`${path} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

for (const url of values.redis ?? []) {
  const scanned = await scanRedis(url);
  keys += scanned.found.length;
  bytes += scanned.bytes;
  for (const line of scanned.found) console.log(line);
  console.log(`redis ${new URL(url).host} entries ${scanned.entries}`);
}

console.log(`scan-secrets files ${files} bytes ${bytes} keys ${keys}`);
process.exitCode = keys > 0 || unreadable > 0 ? 1 : 0;
