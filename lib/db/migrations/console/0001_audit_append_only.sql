CREATE FUNCTION "console"."refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "console"."audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "console"."refuse_audit_change"();
--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE "console"."directory_cards" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
DO $$
DECLARE
  extension_schema text;
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA "console";
  SELECT n.nspname INTO extension_schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  EXECUTE format('CREATE INDEX "directory_accounts_search" ON "console"."directory_accounts" USING gin ("search_text" %I.gin_trgm_ops)', extension_schema);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'pg_trgm is not available: free text is searched without an index';
END
$$;
