import { fork } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { createScanLog } from '../../../apps/server/src/scans/log/scan-log.ts';
import { openScanWriter } from '../../../apps/server/src/scans/scan-writer.ts';
import { ids, someScan, withPromises } from './scans.ts';

type Settings = { readonly natsUrl: string; readonly spoolDir: string };

/** A process that writes scans endlessly and reports the id of each scan that is logged or spooled. */
export async function startWriterProcess(settings: Settings) {
  const child = fork(import.meta.filename, [settings.natsUrl, settings.spoolDir], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const acknowledged: string[] = [];
  child.on('message', id => acknowledged.push(id as string));
  await once(child, 'spawn');
  return {
    acknowledged,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function writeEndlessly([natsUrl = '', spoolDir = '']: readonly string[]): Promise<void> {
  const log = createScanLog({ nats: createNats(natsUrl) });
  const writer = withPromises(
    await openScanWriter({
      appenders: [log.appender(0)],
      clock: systemClock,
      ids,
      spoolDir,
      spoolMaxMb: 100,
    }),
  );
  setInterval(() => {
    for (let i = 0; i < 5; i++) {
      const scan = someScan();
      void writer.write(scan).then(outcome => outcome !== 'lost' && process.send?.(scan.id));
    }
  }, 10);
}

if (import.meta.main) await writeEndlessly(process.argv.slice(2));
