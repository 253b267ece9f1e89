-- Run in the console's database, as the role that made it, before the first start and after a restore. Then give new roles a password:
-- \password carddesk_owner
-- carddesk_owner makes and changes tables (DATABASE_OWNER_URL); carddesk_app reads and writes rows (DATABASE_URL).
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'carddesk_owner') THEN CREATE ROLE carddesk_owner LOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'carddesk_app') THEN CREATE ROLE carddesk_app LOGIN; END IF;
END $$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO carddesk_owner', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO carddesk_app', current_database());
END $$;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

ALTER DEFAULT PRIVILEGES FOR ROLE carddesk_owner GRANT USAGE ON SCHEMAS TO carddesk_app;
ALTER DEFAULT PRIVILEGES FOR ROLE carddesk_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO carddesk_app;
ALTER DEFAULT PRIVILEGES FOR ROLE carddesk_owner GRANT USAGE, SELECT ON SEQUENCES TO carddesk_app;
