#!/usr/bin/env node
import { accountDocument, openApiDocument } from '@signpost/contract';
import { describeSettings, readCallerSettings, readConfig } from './config.ts';
import { AppError } from './kernel/errors.ts';
import { adminUsage, runAdmin } from './roles/admin.ts';
import { backupUsage, runBackup, runRestore } from './roles/backup.ts';
import { runDoctor } from './roles/doctor/doctor.ts';
import { describeMetrics } from './roles/metric-list.ts';
import { runMigrate } from './roles/migrate.ts';
import { movingUsage, runExport, runImport } from './roles/moving.ts';
import { runServer, type ServerRole, serverRoles } from './roles/server.ts';

const usage = `signpost all                             every role in one process
signpost api                             the API
signpost redirect                        the short links
signpost ingest                          scans from the log to where they are counted
signpost deliver                         webhooks to the owners' URLs
signpost migrate                         brings PostgreSQL and ClickHouse up to date
signpost doctor [--json]                 looks for what is wrong, and says what to do
${backupUsage}
signpost config [--markdown]             explains every setting
signpost metrics                         lists every metric, as Markdown
signpost openapi [--account]             prints the OpenAPI document; with --account that of the dashboard
${movingUsage}
${adminUsage}`;

async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'migrate':
      return runMigrate(readConfig(), console.log);
    case 'doctor':
      process.exitCode = (await runDoctor(args, readConfig, console.log)) ? 0 : 1;
      return;
    case 'config':
      console.log(describeSettings(args.includes('--markdown') ? 'markdown' : 'text'));
      return;
    case 'backup':
      return runBackup(args, readConfig(), console.log);
    case 'restore':
      return runRestore(args, readConfig(), console.log);
    case 'metrics':
      console.log(describeMetrics());
      return;
    case 'openapi':
      console.log(
        JSON.stringify(
          (args.includes('--account') ? accountDocument : openApiDocument)('http://localhost:8080'),
          null,
          2,
        ),
      );
      return;
    case 'admin':
      return runAdmin(args, readConfig(), console.log);
    case 'import':
      return runImport(args, readCallerSettings(), console.log);
    case 'export':
      return runExport(args, readCallerSettings(), console.log);
    case undefined:
    case 'help':
    case '--help':
      console.log(usage);
      return;
    default:
      if (!isServerRole(command))
        throw new AppError('invalid_request', `There is no command ${command}.\n\n${usage}`);
      return runServer(command, readConfig());
  }
}

const isServerRole = (command: string): command is ServerRole =>
  (serverRoles as readonly string[]).includes(command);

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
