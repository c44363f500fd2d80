#!/usr/bin/env node
import { openApiDocument } from '@signpost/contract';
import { describeSettings, readConfig } from './config.ts';
import { AppError } from './kernel/errors.ts';
import { migrate } from './platform/migrations.ts';
import { adminUsage, runAdmin } from './roles/admin.ts';
import { runServer, type ServerRole, serverRoles } from './roles/server.ts';

const usage = `signpost all                             every role in one process
signpost api                             the API
signpost redirect                        the short links
signpost migrate                         brings the database up to date
signpost config [--markdown]             explains every setting
signpost openapi                         prints the OpenAPI document
${adminUsage}`;

async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'migrate': {
      const applied = await migrate(readConfig().databaseUrl, name => console.log(`applied ${name}`));
      console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} applied.`);
      return;
    }
    case 'config':
      console.log(describeSettings(args.includes('--markdown') ? 'markdown' : 'text'));
      return;
    case 'openapi':
      console.log(JSON.stringify(openApiDocument('http://localhost:8080'), null, 2));
      return;
    case 'admin':
      return runAdmin(args, readConfig(), console.log);
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
