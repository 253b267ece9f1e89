-- The table becomes its own first partition: nothing is copied, however many rows there are. It is locked while its new primary
-- key is built and its times are checked.
ALTER TABLE "service"."events" DROP CONSTRAINT "events_id_unique";--> statement-breakpoint
CREATE INDEX "events_id" ON "service"."events" USING btree ("id");--> statement-breakpoint
ALTER TABLE "service"."events" DROP CONSTRAINT "events_pkey";--> statement-breakpoint
ALTER TABLE "service"."events" ADD CONSTRAINT "events_position_time_pk" PRIMARY KEY("position","time");--> statement-breakpoint
DO $$
DECLARE
  old CONSTANT regclass := 'service.events';
  definitions text[];
  privilege record;
  index_name name;
  first timestamptz := date_bin('30 days', now(), '2001-01-01 00:00:00+00');
  columns text;
BEGIN
  SELECT array_agg(pg_get_indexdef(indexrelid)) INTO definitions FROM pg_index WHERE indrelid = old AND NOT indisprimary;
  SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
    WHERE attrelid = old AND attnum > 0 AND NOT attisdropped;
  FOR index_name IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = old LOOP
    EXECUTE format('ALTER INDEX "service".%I RENAME TO %I', index_name, index_name || '_before');
  END LOOP;
  ALTER TABLE "service"."events" RENAME TO "events_before";
  CREATE TABLE "service"."events" (LIKE "service"."events_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
    PARTITION BY RANGE ("time");
  ALTER TABLE "service"."events" ADD CONSTRAINT "events_position_time_pk" PRIMARY KEY ("position", "time");
  FOR i IN 1..cardinality(definitions) LOOP
    EXECUTE definitions[i];
  END LOOP;
  ALTER SEQUENCE "service"."events_position_seq" OWNED BY "service"."events"."position";
  FOR privilege IN SELECT grantee, privilege_type FROM pg_class, aclexplode(relacl) WHERE oid = old AND grantee <> relowner LOOP
    EXECUTE format('GRANT %s ON "service"."events" TO %s', privilege.privilege_type,
      CASE privilege.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(privilege.grantee)) END);
  END LOOP;
  CREATE TABLE "service"."events_default" PARTITION OF "service"."events" DEFAULT;
  IF EXISTS (SELECT FROM "service"."events_before") THEN
    first := first + interval '30 days';
    EXECUTE format('WITH later AS (DELETE FROM "service"."events_before" WHERE "time" >= %L RETURNING %s)
      INSERT INTO "service"."events_default" (%2$s) SELECT %2$s FROM later', first, columns);
    EXECUTE format('ALTER TABLE "service"."events" ATTACH PARTITION "service"."events_before"
      FOR VALUES FROM (MINVALUE) TO (%L)', first);
  ELSE
    DROP TABLE "service"."events_before";
    EXECUTE format('CREATE TABLE "service".%I PARTITION OF "service"."events" FOR VALUES FROM (%L) TO (%L)',
      'events_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDDHH24'), first, first + interval '30 days');
  END IF;
END
$$;
--> statement-breakpoint
-- Versions from before the partitions delete by ctid, which names rows of several partitions at once.
CREATE FUNCTION "service"."refuse_delete_by_ctid"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_query() ~* 'where ctid = any' THEN
    RAISE EXCEPTION 'this table is partitioned: delete by tableoid and ctid' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "events_by_ctid" BEFORE DELETE ON "service"."events"
  FOR EACH STATEMENT EXECUTE FUNCTION "service"."refuse_delete_by_ctid"();
