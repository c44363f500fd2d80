// Loads every role and command once, so that Node keeps what it compiles in NODE_COMPILE_CACHE. Nothing is started.
for (const file of [
  'main',
  'roles/server',
  'roles/api',
  'roles/redirect',
  'roles/ingest',
  'roles/deliver',
  'commands/migrate',
  'commands/doctor',
])
  await import(`./src/${file}.ts`);
