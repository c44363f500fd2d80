import { asWorker } from '../platform/worker-thread.ts';
import { hashPlaceNames } from '../rules/place-names.ts';
import { readLocations } from '../scans/geoip/geoip.ts';

// Runs in a thread of its own: it takes some seconds, and redirects may share the process.

export default asWorker((files: readonly string[]) => hashPlaceNames(visit => readLocations(files, visit)));
