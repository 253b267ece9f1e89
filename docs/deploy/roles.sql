-- Run once in the console's database, as the role that made it. Then give both roles a password: \password carddesk_owner
-- carddesk_owner makes and changes tables (DATABASE_OWNER_URL); carddesk_app reads and writes rows (DATABASE_URL).
CREATE ROLE carddesk_owner LOGIN;
CREATE ROLE carddesk_app LOGIN;

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
