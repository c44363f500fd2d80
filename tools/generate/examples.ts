import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { recordExamples } from './examples/record.ts';

/** Writes the examples of the OpenAPI document from the answers of a running service. Then `npm run generate`. */
const file = resolve(import.meta.dirname, '../../packages/contract/src/examples.json');
const examples = await recordExamples();
writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
console.log(`packages/contract/src/examples.json written; now run npm run generate`);
