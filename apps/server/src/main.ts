#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { listEngines, readCallerSettings, readConfig, readTypos } from './config/config.ts';
import { describeSettings } from './config/describe.ts';
import { AppError } from './kernel/errors.ts';

/** Without it, every start strips the types of 700 files. NODE_COMPILE_CACHE names another folder. */
enableCompileCache(resolve(import.meta.dirname, '../../../node_modules/.cache/signpost'));

/** Each command loads only what it needs: it starts in half the time, and a redirect does not keep the API in memory. */
async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'migrate': {
      const { runMigrate } = await import('./commands/migrate.ts');
      return runMigrate(readConfig(), console.log);
    }
    case 'doctor': {
      const { runDoctor } = await import('./commands/doctor.ts');
      process.exitCode = (await runDoctor(args, readConfig, console.log, readTypos())) ? 0 : 1;
      return;
    }
    case 'config':
      console.log(describeSettings(args.includes('--markdown') ? 'markdown' : 'text'));
      return;
    case 'backup':
    case 'restore': {
      const { runBackup, runRestore } = await import('./commands/backup.ts');
      return (command === 'backup' ? runBackup : runRestore)(args, readConfig(), console.log);
    }
    case 'move-scans': {
      const { runMoveScans } = await import('./commands/move-scans.ts');
      return runMoveScans(args, readConfig(), console.log);
    }
    case 'spool': {
      const { runSpool } = await import('./commands/spool.ts');
      process.exitCode = (await runSpool(args, readConfig(), console.log)) ? 0 : 1;
      return;
    }
    case 'metrics': {
      const { describeMetrics } = await import('./commands/metrics.ts');
      console.log(describeMetrics());
      return;
    }
    case 'openapi': {
      const { accountDocument, openApiDocument } = await import('@signpost/contract');
      const document = args.includes('--account') ? accountDocument : openApiDocument;
      console.log(JSON.stringify(document('http://localhost:8080'), null, 2));
      return;
    }
    case 'admin': {
      const { runAdmin } = await import('./commands/admin.ts');
      return runAdmin(args, readConfig(), console.log);
    }
    case 'domains': {
      const { runDomains } = await import('./commands/domains.ts');
      return runDomains(args, readConfig, console.log);
    }
    case 'import':
    case 'export': {
      const { runExport, runImport } = await import('./commands/import-export.ts');
      if (command === 'export') return runExport(args, readCallerSettings(), console.log);
      return runImport(args, readCallerSettings(), console.log, readConfig);
    }
    case undefined:
    case 'help':
    case '--help':
      console.log(await usage());
      return;
    default: {
      if (command === 'solo') limitYoungGeneration();
      const [{ isServerRole }, { runServer }] = await Promise.all([
        import('./roles/server-role.ts'),
        import('./roles/server.ts'),
      ]);
      if (!isServerRole(command))
        throw new AppError('invalid_request', `There is no command ${command}.\n\n${await usage()}`);
      return runServer(command, readConfig(undefined, listEngines(command)));
    }
  }
}

/**
 * New objects take up to 128 MB before V8 looks which are needed, more than everything else on one box. The limit holds
 * only from the start of a process, so this one is replaced: same process id, same arguments, 20 ms.
 */
function limitYoungGeneration(): void {
  const limit = '--max-semi-space-size=8';
  const isSet = process.execArgv.some(argument => argument.startsWith('--max-semi-space-size'));
  // A child that its parent talks to would lose the channel. Windows cannot replace a process.
  if (isSet || process.send || process.platform === 'win32') return;
  process.execve!(process.execPath, [process.execPath, limit, ...process.execArgv, ...process.argv.slice(1)]);
}

async function usage(): Promise<string> {
  const [
    { backupUsage },
    { moveScansUsage },
    { importExportUsage },
    { adminUsage },
    { spoolUsage },
    { domainsUsage },
  ] = await Promise.all([
    import('./commands/backup.ts'),
    import('./commands/move-scans.ts'),
    import('./commands/import-export.ts'),
    import('./commands/admin.ts'),
    import('./commands/spool.ts'),
    import('./commands/domains.ts'),
  ]);
  return `signpost solo                            the whole service in one process, with PostgreSQL alone
signpost all                             runs every role in one process, with PostgreSQL, Redis and NATS
signpost api                             serves the API
signpost redirect                        serves the short links
signpost ingest                          counts the scans in the log
signpost deliver                         sends webhooks
signpost migrate                         applies migrations to PostgreSQL, and to ClickHouse if there is one
signpost doctor [--json]                 finds problems, and says what to do about them
${backupUsage}
${moveScansUsage}
${spoolUsage}
${domainsUsage}
signpost config [--markdown]             explains every setting
signpost metrics                         lists every metric, as Markdown
signpost openapi [--account]             prints the OpenAPI document; with --account, the dashboard's
${importExportUsage}
${adminUsage}`;
}

/** A reader that has seen enough, as in `| head`, is no fault: the command goes on to its end, without output. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
