import { randomBytes } from 'node:crypto';
import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';

/** Databases that the check creates for itself, and drops. It touches no other. */
export type Scratch = {
  readonly name: string;
  /** A connection that stays outside of these databases. */
  readonly outside: ClickHouse;
  /** Creates another database, and returns its address. */
  create(suffix?: string): Promise<string>;
  /** The name of another one that is dropped with the rest. */
  reserve(suffix: string): string;
  /** Returns the names of what it dropped. */
  dropAll(): Promise<readonly string[]>;
};

const timeoutMs = 60_000;

export async function openScratch(url: string): Promise<Scratch> {
  const outside = await createClickHouse(url);
  const name = `signpost_check_${randomBytes(6).toString('hex')}`;
  const reserved = new Set<string>();
  function reserve(suffix: string): string {
    const full = suffix === '' ? name : `${name}_${suffix}`;
    reserved.add(full);
    return full;
  }
  return {
    name,
    outside,
    reserve,
    async create(suffix = '') {
      const full = reserve(suffix);
      await outside.command(`create database ${full}`, {}, { timeoutMs });
      return addressOf(url, full);
    },
    async dropAll() {
      for (const full of reserved)
        await outside.command(`drop database if exists ${full} sync`, {}, { timeoutMs });
      await outside.close();
      return [...reserved];
    },
  };
}

export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** Removes the password and the host from a text that is printed. */
export function createRedaction(url: string): (text: string) => string {
  const { password, hostname } = new URL(url);
  const secrets = [password, decodeURIComponent(password), hostname]
    .filter(secret => secret.length > 2)
    .sort((a, b) => b.length - a.length);
  return text => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
