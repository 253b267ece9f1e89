-- Makes the partitioned tables plain ones again, with every row, for a version from before them. Run it as carddesk_owner while no
-- process runs. The newer version partitions them again when it starts.
BEGIN;
DO $$
DECLARE
  partitioned regclass;
  statements text[];
  statement text;
BEGIN
  FOREACH partitioned IN ARRAY ARRAY['console.inbox_events', 'service.events']::regclass[] LOOP
    SELECT array_agg(replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')) INTO statements
      FROM pg_index WHERE indrelid = partitioned AND NOT indisprimary;
    SELECT statements || array_agg(format('GRANT %s ON %s TO %s', privilege_type, partitioned,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)) INTO statements
      FROM pg_class, aclexplode(relacl) WHERE oid = partitioned AND grantee <> relowner;
    statements := ARRAY[
      format('CREATE TABLE %s_plain (LIKE %1$s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partitioned),
      format('INSERT INTO %s_plain SELECT * FROM %1$s', partitioned),
      format('ALTER SEQUENCE %s_position_seq OWNED BY %1$s_plain.position', partitioned),
      format('DROP TABLE %s', partitioned),
      format('ALTER TABLE %s_plain RENAME TO %I', partitioned, split_part(partitioned::text, '.', 2)),
      format('ALTER TABLE %s ADD PRIMARY KEY (position)', partitioned)
    ] || statements;
    FOREACH statement IN ARRAY statements LOOP
      EXECUTE statement;
    END LOOP;
  END LOOP;
END
$$;
DROP INDEX console.inbox_events_id;
CREATE UNIQUE INDEX inbox_events_id ON console.inbox_events (environment, id);
DROP INDEX service.events_id;
ALTER TABLE service.events ADD CONSTRAINT events_id_unique UNIQUE (id);
DROP TABLE console.inbox_ids;
DROP FUNCTION launch.keep_partitions, console.refuse_delete_by_ctid, service.refuse_delete_by_ctid;
-- Migrations run in order: later ones run again at the next upgrade, so what they made goes as well.
DROP TABLE IF EXISTS console.audit_entry_sinks;
ALTER TABLE console.sessions DROP COLUMN IF EXISTS authenticated_at;
DELETE FROM migrations.console WHERE created_at >= 1795403823268;
DELETE FROM migrations.service WHERE created_at >= 1795403819467;
COMMIT;
