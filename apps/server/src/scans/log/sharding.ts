import { countScans, firstScanAt } from './format/batch.ts';
import { minScanBytes, scanLayout } from './format/scan-bytes.ts';

/*
 * Which shard of the log a scan belongs to. All scans of an account go to one shard, unless the operator has spread the
 * account over several: then all of a visitor do. Processes of different versions append to one log, so for a given number
 * of shards this must never change.
 */

/** The shard of the scan whose bytes begin at `start`. */
export type ShardChooser = (bytes: Buffer, start?: number) => number;

/** Over how many shards the account of a scan is spread. `accountHash` is that of its id. */
export type SpreadLookup = (accountHash: number, bytes: Buffer, start: number) => number;

export function createShardChooser(shards: number, getSpread: SpreadLookup = () => 1): ShardChooser {
  if (shards === 1) return () => 0;
  return (bytes, start = 0) => {
    const hash = hashAccount(bytes, start + scanLayout.accountId);
    const spread = getSpread(hash, bytes, start);
    // A visitor is an HMAC: its first bytes are as evenly distributed as any hash of it.
    const offset = spread > 1 ? bytes.readUInt32BE(start + scanLayout.visitor) % spread : 0;
    return (hash + offset) % shards;
  };
}

/**
 * The shard that a spooled batch is sent to: that of its first scan. The others belong there too, unless the number of shards
 * or a spread has changed since. It is not split then: it may be in the log already, and is only recognized whole.
 */
export function chooseBatchShard(bytes: Uint8Array, chooseShard: ShardChooser): number {
  if (countScans(bytes) === 0 || bytes.length < firstScanAt + minScanBytes) return 0;
  return chooseShard(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), firstScanAt);
}

export const accountIdBytes = 16;

/** 32-bit FNV-1a of the 16 bytes of an account id, mixed once more, because its low bits alone are uneven. */
export function hashAccount(bytes: Uint8Array, at: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < at + accountIdBytes; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
