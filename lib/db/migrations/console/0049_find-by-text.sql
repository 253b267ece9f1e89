DO $$
DECLARE
  extension_schema name;
  kind text;
BEGIN
  SELECT n.nspname INTO extension_schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    FOREACH kind IN ARRAY ARRAY['cards', 'payouts'] LOOP
      EXECUTE format('CREATE INDEX %I ON "console".%I USING gin ("search_text" %I.gin_trgm_ops)',
        'index_' || kind || '_search', 'index_' || kind, extension_schema);
    END LOOP;
  END IF;
END
$$;
