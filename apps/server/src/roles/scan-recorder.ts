import { resolve } from 'node:path';
import { createIds } from '../kernel/ids.ts';
import { throttle } from '../kernel/running/throttle.ts';
import { poll, runEvery } from '../platform/background-jobs.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createWriteCheck } from '../platform/write-check.ts';
import type { ScanRecorder } from '../redirect/handler.ts';
import type { NotCounted } from '../scans/counting-rule.ts';
import { createEnricher, type ScannerOfHit } from '../scans/enrich.ts';
import { chooseGeoipFiles, openGeoip, unknownLocation } from '../scans/geoip/geoip.ts';
import { openMmdbFile } from '../scans/geoip/mmdb-file.ts';
import { traceAppends } from '../scans/log/append-trace.ts';
import type { EncodedScan } from '../scans/log/format/scan-bytes.ts';
import { watchReaders } from '../scans/log/readers.ts';
import { watchSpreads } from '../scans/log/spreads.ts';
import { createScanMetrics } from '../scans/metrics.ts';
import { createSalts } from '../scans/salts.ts';
import { openScanWriter } from '../scans/scan-writer.ts';
import { watchSpoolDisk } from '../scans/spool/disk.ts';
import { createSpoolsLeft, type SpoolsLeft } from '../scans/spool/left-behind.ts';
import { keepReserve } from '../scans/spool/reserve.ts';
import { toWindowName } from '../scans/visitor.ts';
import { withSetting } from './engines/starting.ts';
import { logScanWriterEvents } from './scan-writer-logging.ts';
import type { Shared } from './shared.ts';
import { trackLeftSpool } from './spool-logging.ts';

/** Time reserved at shutdown for what closes after the spool is drained: PostgreSQL, NATS. */
const closeReserveMs = 3_000;

/** Space on the disk that is given up for scans when the rest is full. */
const maxReserveBytes = 16 * 1024 * 1024;

/** Turns requests into scans and writes them: to the log, and to the disk while the log is down. */
export async function openRecorder(
  { config, logger, metrics, lifecycle, readiness, clock, engines, tracer }: Shared,
  db: Database,
): Promise<ScanRecorder<ScannerOfHit>> {
  const ids = createIds(clock);

  const appenders = engines.openAppenders(db);
  // The only process reads what it writes; among others, the oldest reader decides.
  const readers = engines.isAlone ? null : watchReaders(db);
  if (readers) lifecycle.defer('readers of the log', readers.stop);
  const spreads = await watchSpreads(db);
  lifecycle.defer('spreads', spreads.stop);
  const writer = await withSetting('SPOOL_DIR', 'Name a directory that this user may write.', () =>
    openScanWriter({
      appenders: tracer ? appenders.map(appender => traceAppends(appender, tracer)) : appenders,
      getSpread: spreads.getSpread,
      clock,
      ids,
      spoolDir: config.spoolDir,
      spoolMaxMb: config.spoolMaxMb,
      memoryMb: config.spoolMemoryMb,
      ...(readers ? { version: readers.version } : {}),
      onEvent: logScanWriterEvents({ logger, metrics }),
    }),
  );
  const leftSpool = trackLeftSpool({
    left: spoolsLeftIfAllowed(db),
    directory: resolve(config.spoolDir),
    logger,
  });
  lifecycle.defer('scan writer', async leftMs => {
    const [stats] = await Promise.all([writer.close(leftMs - closeReserveMs), leftSpool.stop()]);
    await leftSpool.recordLeft(stats);
  });
  const disk = watchSpoolDisk(config.spoolDir);
  lifecycle.defer('spool disk', disk.stop);
  const maxBytes = config.spoolMaxMb * 1024 * 1024;
  const warnOfReserve = throttle(60_000);
  const reserve = keepReserve({
    root: config.spoolDir,
    bytes: Math.min(maxReserveBytes, maxBytes / 4),
    disk,
    onReleased: () => logger.error('disk of the spool is full: its reserve is released'),
    onError: error =>
      warnOfReserve(skipped => logger.warn({ err: error, skipped }, 'reserve on the disk not created')),
  });
  // Before the scan writer, which may need the space for its last scans.
  lifecycle.defer('reserve on the disk', reserve.stop);
  createScanMetrics(metrics.registry, writer, clock, maxBytes, disk, reserve);
  // To Prometheus a series that begins at 1 looks as if nothing had happened.
  for (const outcome of ['logged', 'spooled', 'held', 'lost']) metrics.scans.inc({ outcome }, 0);
  readiness.add({
    name: 'scans',
    // Without a disk short links are still served.
    needed: false,
    failure: 'in_memory',
    async check() {
      if (writer.held().scans > 0) throw new Error('scans are in memory only');
    },
  });

  const salts = createSalts({ db, kind: config.visitorWindow });
  const warn = throttle(60_000);
  const isMissing = () => salts.of(toWindowName(clock.now().getTime(), config.visitorWindow)) === null;
  const readSalts = async () => {
    const error = await salts.read(clock.now()).catch(reason => reason);
    if (error) warn(skipped => logger.warn({ err: error, skipped }, 'salt not read'));
    else if (isMissing())
      warn(skipped => logger.warn({ skipped }, 'there is no salt for this window: ingest creates it'));
  };
  await readSalts();
  const stopReading = runEvery(60_000, readSalts);
  // Without the salt every visitor counts as new: after a start without PostgreSQL, a minute would be too long.
  const stopRetrying = poll(1_000, async () => isMissing() && readSalts());
  lifecycle.defer('salts', async () => {
    stopReading();
    await stopRetrying();
  });

  const geoip = await withSetting('GEOIP_FILES', 'Name MMDB files that can be read, or leave it empty.', () =>
    // One box has little memory and few scans: what they save in lookups is not worth 130 MB there.
    openGeoip(chooseGeoipFiles(config), engines.isAlone ? openMmdbFile : undefined),
  );
  const warnOfPlace = throttle(60_000);
  const enricher = createEnricher({
    geoip: {
      locate(address) {
        try {
          return geoip.locate(address);
        } catch (error) {
          // A disk that fails, or a damaged file: the scan counts all the same.
          warnOfPlace(skipped => logger.warn({ err: error, skipped }, 'location not read'));
          return unknownLocation;
        }
      },
    },
    salts,
    ids,
    windowKind: config.visitorWindow,
    onVisitorWithoutSalt: () => metrics.visitorsWithoutSalt.inc(),
  });

  function write(scan: EncodedScan | NotCounted, onRecorded: () => void): boolean {
    if (typeof scan === 'string') {
      metrics.notCounted.inc({ reason: scan });
      return false;
    }
    writer.write(scan, onRecorded);
    return true;
  }

  return {
    record(link, { method, headers, address }, onRecorded) {
      return write(
        enricher.toScan({ link, method, headers, address, atMs: clock.now().getTime() }),
        onRecorded,
      );
    },
    createScanner: enricher.createScanner,
    recordRouted: (scanner, route, onRecorded) => write(enricher.toRoutedScan(scanner, route), onRecorded),
  };
}

/** A database user that may only read records no spool: what is left is only logged. */
function spoolsLeftIfAllowed(db: Database): Pick<SpoolsLeft, 'record' | 'remove'> {
  const left = createSpoolsLeft(db);
  const mayWrite = createWriteCheck(db, 'spools_left');
  return {
    async record(spool) {
      if (!(await mayWrite())) throw new Error('The database user may only read');
      await left.record(spool);
    },
    async remove(spoolId) {
      if (await mayWrite()) await left.remove(spoolId);
    },
  };
}
