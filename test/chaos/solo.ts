import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture, type SoloFixture } from '@signpost/testing/solo.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type ReportedCounts, readReportedCounts } from './reported-counts.ts';

const [codeCount, lanes, phones, scansPerSecond] = [20, 12, 40, 200];

type Code = { readonly id: string; readonly path: string; readonly key: string };

/**
 * The service in one process: scans while that process and PostgreSQL are killed (kill -9) and stopped. At the end each
 * accepted scan is in the counters, summaries, series and exports once. Prints the figures; whether all is well.
 */
export async function proveSolo(seconds: number): Promise<boolean> {
  const solo = await createSoloFixture({ QUERIES_PER_ACCOUNT: '50', EXPORTS_PER_ACCOUNT: '20' });
  const server = await TestServer.start('solo', solo.fixture.env);
  const codes = await createCodes(solo, server);
  const ledger = createLedger();
  const stopping = new AbortController();
  console.log(`solo: ${codes.length} codes, ${seconds} s`);
  const [kills] = await Promise.all([
    disturb(solo, server, seconds).finally(() => stopping.abort()),
    sendScans(server, codes, ledger, stopping.signal),
  ]);
  const { accepted, unanswered, refused } = ledger.totals;
  console.log(
    `accepted ${accepted}, no response ${unanswered}, refused ${JSON.stringify([...refused])}; settling`,
  );
  const faults = await settle(server, codes, ledger);
  // Once more after a restart: what was counted stays counted, once.
  await server.end('SIGKILL');
  await server.start();
  await sleep(3_000);
  faults.push(...(await settle(server, codes, ledger)));
  for (const fault of faults.slice(0, 20)) console.log(fault);
  await server.end('SIGTERM');
  await solo.close();
  const lost = faults.filter(fault => fault.startsWith('lost')).length;
  const duplicated = faults.filter(fault => fault.startsWith('duplicated')).length;
  console.log(
    `chaos solo accepted ${accepted} unanswered ${unanswered} lost ${lost} duplicated ${duplicated} other ${faults.length - lost - duplicated} kills ${kills}`,
  );
  return faults.length === 0 && accepted > 0 && kills > 0;
}

async function createCodes({ fixture }: SoloFixture, { url }: TestServer): Promise<Code[]> {
  const { live: key } = await fixture.account();
  const items = Array.from({ length: codeCount }, (_, n) => ({
    name: `Code ${n}`,
    destination_url: `https://example.com/${n}`,
  }));
  const { body } = await ask({ method: 'POST', url: `${url}/v1/qrcodes/bulk`, key, body: { items } });
  type Entry = { readonly qr_code: { readonly id: string; readonly short_code: string } };
  return body.data.map(({ qr_code }: Entry) => ({ id: qr_code.id, path: `/${qr_code.short_code}`, key }));
}

/** Kills one of the two every few seconds, in turn, and starts it again. */
async function disturb({ postgres }: SoloFixture, server: TestServer, seconds: number): Promise<number> {
  const endsAtMs = performance.now() + seconds * 1000;
  let kills = 0;
  while (performance.now() < endsAtMs) {
    await sleep(2_000 + 4_000 * Math.random());
    const isServer = kills++ % 2 === 0;
    if (isServer) await server.end('SIGKILL');
    else await postgres.kill('SIGKILL');
    await sleep(1_500 * Math.random());
    await (isServer ? server : postgres).start();
    if (kills % 10 === 0) console.log(`${kills} kills`);
  }
  return kills;
}

async function sendScans(
  { url }: TestServer,
  codes: readonly Code[],
  ledger: Ledger,
  stopping: AbortSignal,
): Promise<void> {
  const everyMs = (lanes * 1000) / scansPerSecond;
  let next = 0;
  async function lane(): Promise<void> {
    while (!stopping.aborted) {
      const dueAtMs = performance.now() + everyMs;
      const number = next++;
      const { path } = codes[(number * 7) % codes.length]!;
      const agent = `Mozilla/5.0 (Linux; Android 15; Phone ${number % phones}) Chrome/141.0 Mobile Safari/537.36`;
      try {
        const { status } = await ask({
          url: url + path,
          headers: { 'user-agent': agent },
          timeoutMs: 15_000,
        });
        if (status === 302) ledger.accepted(path);
        else ledger.refused(status);
      } catch (error) {
        // Nobody listened: such a request cannot have been counted.
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') ledger.refused(0);
        else ledger.unanswered(path);
        await sleep(50);
      }
      await sleep(Math.max(0, dueAtMs - performance.now()));
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Waits until everything in flight has arrived, then compares. */
async function settle(server: TestServer, codes: readonly Code[], ledger: Ledger): Promise<string[]> {
  let faults = ['not compared yet'];
  await waitUntil(
    'everything has arrived',
    async () => {
      const reported = await readReportedCounts({ api: server, codes });
      const counters = await readCounters(server, codes);
      faults = [...reported].flatMap(([path, counts]) =>
        faultsOf(path, counts, counters.get(path) ?? 0, ledger),
      );
      return faults.length === 0;
    },
    { timeoutMs: 180_000, everyMs: 1_000 },
  ).catch(() => undefined);
  return faults;
}

async function readCounters({ url }: TestServer, codes: readonly Code[]): Promise<Map<string, number>> {
  const { body } = await ask({ url: `${url}/v1/qrcodes?limit=100`, key: codes[0]!.key });
  type Listed = { readonly short_url: string; readonly total_scans: number };
  return new Map(body.data.map((code: Listed) => [new URL(code.short_url).pathname, code.total_scans]));
}

function faultsOf(path: string, counts: ReportedCounts, counter: number, ledger: Ledger): string[] {
  const { accepted = 0, unanswered = 0 } = ledger.codes.get(path) ?? {};
  const { summary, series, exported } = counts;
  return [
    summary < accepted ? `lost: ${path} has ${summary} of ${accepted} accepted` : '',
    summary > accepted + unanswered
      ? `duplicated: ${path} has ${summary} of ${accepted} accepted and ${unanswered} unanswered`
      : '',
    summary === series && summary === exported && summary === counter
      ? ''
      : `differs: ${path} has ${summary} in its summary, ${series} in its series, ${exported} in its export, ${counter} in its counter`,
  ].filter(fault => fault !== '');
}
