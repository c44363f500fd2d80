import { resolve } from 'node:path';
import { createServices } from './services/run.ts';
import { services as all, soloServices } from './services/service.ts';

/** `--solo`: PostgreSQL alone. */
const args = process.argv.slice(2);
const services = createServices({
  project: resolve(import.meta.dirname, '../..'),
  env: process.env,
  say: line => console.log(line),
  wanted: args.includes('--solo') ? soloServices : all,
});

const [command = 'start'] = args.filter(arg => arg !== '--solo');
try {
  if (command === 'start') await services.start();
  else if (command === 'stop') await services.stop();
  else if (command === 'status') await services.status();
  else throw new Error(`Unknown command ${command}: start (or nothing), stop, status`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
