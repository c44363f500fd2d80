-- A closed account keeps its row, since the tombstones of its codes point to it, but no name and nobody who belongs to it.
alter table accounts add column closed_at timestamptz;
