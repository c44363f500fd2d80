#!/usr/bin/env node
import { describeSettings, misspelt, readCallerSettings, readConfig } from './config.ts';
import { AppError } from './kernel/errors.ts';

/** A command loads what it needs and no more: it starts in half the time, and a redirect does not hold the API in memory. */
async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'migrate': {
      const { runMigrate } = await import('./roles/migrate.ts');
      return runMigrate(readConfig(), console.log);
    }
    case 'doctor': {
      const { runDoctor } = await import('./roles/doctor/doctor.ts');
      process.exitCode = (await runDoctor(args, readConfig, console.log, misspelt())) ? 0 : 1;
      return;
    }
    case 'config':
      console.log(describeSettings(args.includes('--markdown') ? 'markdown' : 'text'));
      return;
    case 'backup':
    case 'restore': {
      const { runBackup, runRestore } = await import('./roles/backup.ts');
      return (command === 'backup' ? runBackup : runRestore)(args, readConfig(), console.log);
    }
    case 'spool': {
      const { runSpool } = await import('./roles/spool.ts');
      process.exitCode = (await runSpool(args, readConfig(), console.log)) ? 0 : 1;
      return;
    }
    case 'metrics': {
      const { describeMetrics } = await import('./roles/metric-list.ts');
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
      const { runAdmin } = await import('./roles/admin.ts');
      return runAdmin(args, readConfig(), console.log);
    }
    case 'import':
    case 'export': {
      const { runExport, runImport } = await import('./roles/moving.ts');
      if (command === 'export') return runExport(args, readCallerSettings(), console.log);
      return runImport(args, readCallerSettings(), console.log, readConfig);
    }
    case undefined:
    case 'help':
    case '--help':
      console.log(await usage());
      return;
    default: {
      const [{ isServerRole }, { runServer }] = await Promise.all([
        import('./roles/server-role.ts'),
        import('./roles/server.ts'),
      ]);
      if (!isServerRole(command))
        throw new AppError('invalid_request', `There is no command ${command}.\n\n${await usage()}`);
      return runServer(command, readConfig());
    }
  }
}

async function usage(): Promise<string> {
  const [{ backupUsage }, { movingUsage }, { adminUsage }, { spoolUsage }] = await Promise.all([
    import('./roles/backup.ts'),
    import('./roles/moving.ts'),
    import('./roles/admin.ts'),
    import('./roles/spool.ts'),
  ]);
  return `signpost all                             every role in one process
signpost api                             the API
signpost redirect                        the short links
signpost ingest                          scans from the log to where they are counted
signpost deliver                         webhooks to the owners' URLs
signpost migrate                         brings PostgreSQL and ClickHouse up to date
signpost doctor [--json]                 looks for what is wrong, and says what to do
${backupUsage}
${spoolUsage}
signpost config [--markdown]             explains every setting
signpost metrics                         lists every metric, as Markdown
signpost openapi [--account]             prints the OpenAPI document; with --account that of the dashboard
${movingUsage}
${adminUsage}`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
