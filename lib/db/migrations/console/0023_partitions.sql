LOCK TABLE "console"."inbox_events" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "console"."inbox_ids" (
	"environment" text NOT NULL,
	"id" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inbox_ids_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
INSERT INTO "console"."inbox_ids" SELECT "environment", "id", "received_at" FROM "console"."inbox_events";
--> statement-breakpoint
CREATE INDEX "inbox_ids_received" ON "console"."inbox_ids" USING btree ("received_at");
--> statement-breakpoint
-- The table becomes its own first partition: nothing is copied, however many rows there are. It is locked while its new primary
-- key is built and its times are checked, and its ids are copied.
DROP INDEX "console"."inbox_events_id";--> statement-breakpoint
CREATE INDEX "inbox_events_id" ON "console"."inbox_events" USING btree ("environment","id");--> statement-breakpoint
ALTER TABLE "console"."inbox_events" DROP CONSTRAINT "inbox_events_pkey";--> statement-breakpoint
ALTER TABLE "console"."inbox_events" ADD CONSTRAINT "inbox_events_position_received_at_pk" PRIMARY KEY("position","received_at");--> statement-breakpoint
DO $$
DECLARE
  old CONSTANT regclass := 'console.inbox_events';
  definitions text[];
  privilege record;
  index_name name;
  first timestamptz := date_bin('15 days', now(), '2001-01-01 00:00:00+00');
  columns text;
BEGIN
  SELECT array_agg(pg_get_indexdef(indexrelid)) INTO definitions FROM pg_index WHERE indrelid = old AND NOT indisprimary;
  SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
    WHERE attrelid = old AND attnum > 0 AND NOT attisdropped;
  FOR index_name IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = old LOOP
    EXECUTE format('ALTER INDEX "console".%I RENAME TO %I', index_name, index_name || '_before');
  END LOOP;
  ALTER TABLE "console"."inbox_events" RENAME TO "inbox_events_before";
  CREATE TABLE "console"."inbox_events" (LIKE "console"."inbox_events_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
    PARTITION BY RANGE ("received_at");
  ALTER TABLE "console"."inbox_events" ADD CONSTRAINT "inbox_events_position_received_at_pk" PRIMARY KEY ("position", "received_at");
  FOR i IN 1..cardinality(definitions) LOOP
    EXECUTE definitions[i];
  END LOOP;
  ALTER SEQUENCE "console"."inbox_events_position_seq" OWNED BY "console"."inbox_events"."position";
  FOR privilege IN SELECT grantee, privilege_type FROM pg_class, aclexplode(relacl) WHERE oid = old AND grantee <> relowner LOOP
    EXECUTE format('GRANT %s ON "console"."inbox_events" TO %s', privilege.privilege_type,
      CASE privilege.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(privilege.grantee)) END);
  END LOOP;
  CREATE TABLE "console"."inbox_events_default" PARTITION OF "console"."inbox_events" DEFAULT;
  IF EXISTS (SELECT FROM "console"."inbox_events_before") THEN
    first := first + interval '15 days';
    EXECUTE format('WITH later AS (DELETE FROM "console"."inbox_events_before" WHERE "received_at" >= %L RETURNING %s)
      INSERT INTO "console"."inbox_events_default" (%2$s) SELECT %2$s FROM later', first, columns);
    EXECUTE format('ALTER TABLE "console"."inbox_events" ATTACH PARTITION "console"."inbox_events_before"
      FOR VALUES FROM (MINVALUE) TO (%L)', first);
  ELSE
    DROP TABLE "console"."inbox_events_before";
    EXECUTE format('CREATE TABLE "console".%I PARTITION OF "console"."inbox_events" FOR VALUES FROM (%L) TO (%L)',
      'inbox_events_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDDHH24'), first, first + interval '15 days');
  END IF;
END
$$;
--> statement-breakpoint
-- Versions from before the partitions delete by ctid, which names rows of several partitions at once.
CREATE FUNCTION "console"."refuse_delete_by_ctid"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_query() ~* 'where ctid = any' THEN
    RAISE EXCEPTION 'this table is partitioned: delete by tableoid and ctid' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "inbox_events_by_ctid" BEFORE DELETE ON "console"."inbox_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "console"."refuse_delete_by_ctid"();
