import { dropOldTestDatabases } from './database.ts';

/** Before the integration tests: drops the databases that earlier runs left behind. */
export default () => dropOldTestDatabases();
