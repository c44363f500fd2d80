-- The trace that the scan of a message is part of, as a traceparent, so that later tries are seen in it too. Null: not traced.
alter table webhook_messages add column trace text;
