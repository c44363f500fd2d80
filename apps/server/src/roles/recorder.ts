import { resolve } from 'node:path';
import { noteReached } from '../ingest/lag.ts';
import { createStreamMetrics } from '../ingest/stream-metrics.ts';
import { atMostEvery } from '../kernel/at-most-every.ts';
import { createIds } from '../kernel/ids.ts';
import { natsCause } from '../platform/jetstream-faults.ts';
import type { Database } from '../platform/postgres.ts';
import type { ScanRecorder } from '../redirect/handler.ts';
import { ackedWriter, createAckedPositions } from '../scans/acked-positions.ts';
import { traceAppends } from '../scans/append-trace.ts';
import { openBoundedLog } from '../scans/bounded-log.ts';
import { createEnricher } from '../scans/enrich.ts';
import { createScanMetrics } from '../scans/metrics.ts';
import { bundledPlaceFiles, createPlaces } from '../scans/place.ts';
import { createSalts } from '../scans/salts.ts';
import { openScanKeeper } from '../scans/scan-keeper.ts';
import { keepStreams } from '../scans/scan-streams.ts';
import { watchSpoolDisk } from '../scans/spool-disk.ts';
import { createSpoolsLeft } from '../scans/spools-left.ts';
import { windowOf } from '../scans/visitor.ts';
import { noteKeeperEvents } from './keeper-notes.ts';
import type { Shared } from './shared.ts';
import { noteSpoolLeft } from './spool-notes.ts';
import { withSetting } from './starting.ts';
import { scanStreamOptions } from './stream-options.ts';

/** Of the time to stop so much is kept for what closes after the spool was drained: PostgreSQL, NATS. */
const afterDrainMs = 3_000;

/** What makes a scan of a request and keeps it: the log, and the disk while the log is away. */
export async function openRecorder(
  { config, logger, metrics, lifecycle, clock, nats, tracer }: Shared,
  db: Database,
): Promise<ScanRecorder> {
  const ids = createIds(clock);

  const streams = scanStreamOptions(config);
  lifecycle.defer(
    'streams',
    keepStreams(nats, streams, error => {
      const cause = natsCause(error, 'NATS');
      const fault = cause ? `${cause.seen}. ${cause.cure}` : undefined;
      logger.warn({ err: error, fault }, 'scan log not ready');
    }),
  );
  const shard = config.scanShard % config.scanShards;
  const streamMetrics = createStreamMetrics(metrics.registry);
  const { log, fill } = openBoundedLog({
    nats,
    shard,
    maxBytes: streams.maxBytes,
    onAck: position => positions.acked(position),
    onSize: size => streamMetrics.set(size && [size]),
  });
  lifecycle.defer('fill of the log', () => fill.stop());
  const positions = createAckedPositions({
    nats,
    async look() {
      const state = await log.stateOf(shard);
      await noteReached(db, log, { shard, state }).catch(() => undefined);
      return state;
    },
    write: ackedWriter(db, shard),
  });
  lifecycle.defer('acked positions', () => positions.stop());
  const keeper = await withSetting('SPOOL_DIR', 'Name a directory that this user may write.', () =>
    openScanKeeper({
      log: tracer ? traceAppends(log, tracer) : log,
      clock,
      ids,
      spoolDir: config.spoolDir,
      spoolMaxMb: config.spoolMaxMb,
      onEvent: noteKeeperEvents({ logger, metrics }),
    }),
  );
  const notes = noteSpoolLeft({ left: createSpoolsLeft(db), directory: resolve(config.spoolDir), logger });
  lifecycle.defer('scan keeper', async leftMs => {
    const [stats] = await Promise.all([keeper.close(leftMs - afterDrainMs), notes.stop()]);
    await notes.left(stats);
  });
  const disk = watchSpoolDisk(config.spoolDir);
  lifecycle.defer('spool disk', disk.stop);
  createScanMetrics(metrics.registry, keeper, clock, config.spoolMaxMb * 1024 * 1024, disk);
  // A series that begins at 1 looks to Prometheus as if nothing had happened.
  for (const kept of ['logged', 'spooled', 'lost']) metrics.scans.inc({ kept }, 0);

  const salts = createSalts({ db, kind: config.visitorWindow });
  const warn = atMostEvery(60_000);
  const prepare = () =>
    salts
      .prepare(clock.now())
      .catch(error => warn(skipped => logger.warn({ err: error, skipped }, 'salt not read')));
  await prepare();
  const minutely = setInterval(prepare, 60_000);
  // Without the salt nobody is known to have scanned before: after a start without PostgreSQL, minutes would be too long.
  const isMissing = () => salts.of(windowOf(clock.now().getTime(), config.visitorWindow)) === null;
  const secondly = setInterval(() => isMissing() && prepare(), 1_000);
  const destroy = () =>
    salts.destroyOld().then(
      destroyed => destroyed > 0 && logger.info({ salts: destroyed }, 'old salts destroyed'),
      error => logger.warn({ err: error }, 'old salts not destroyed'),
    );
  void destroy();
  const hourly = setInterval(destroy, 3_600_000);
  lifecycle.defer('salts', () => {
    clearInterval(secondly);
    clearInterval(minutely);
    clearInterval(hourly);
  });

  const files = config.placeFiles.length > 0 ? config.placeFiles : bundledPlaceFiles();
  const enrich = createEnricher({
    places: await withSetting('PLACE_FILES', 'Name MMDB files that can be read, or leave it empty.', () =>
      createPlaces(files),
    ),
    salts,
    ids,
    windowKind: config.visitorWindow,
    onLonelyVisitor: () => metrics.lonelyVisitors.inc(),
  });

  return {
    record(link, request) {
      const scan = enrich({ link, ...request, atMs: clock.now().getTime() });
      if (typeof scan !== 'string') return keeper.write(scan);
      metrics.notCounted.inc({ reason: scan });
      return null;
    },
  };
}
