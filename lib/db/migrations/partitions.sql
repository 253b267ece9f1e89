-- Keeps the partitions of a table that is partitioned by a range of time: makes that of `at` and the next one, and drops those
-- whose rows are all older than `keep`, but none with a row whose column `pending` is null. Rows for which there was no partition are
-- in the default partition; those of a new one move into it. It runs as the owner of the tables, since the roles that
-- call it cannot change tables. When the table is in use for longer than the lock time limit, the next call does the rest.
CREATE OR REPLACE FUNCTION launch.keep_partitions(parent regclass, width interval, keep interval, at timestamptz, pending name)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO' SET lock_timeout = '200ms'
AS $$
DECLARE
  origin CONSTANT timestamptz := '2001-01-01 00:00:00+00';
  oldest timestamptz;
  newest timestamptz;
  space name;
  title name;
  key name;
  spare regclass;
  part record;
  is_held boolean;
  child text;
BEGIN
  SELECT nspname, relname, attname, NULLIF(partdefid, 0)::regclass INTO space, title, key, spare
    FROM pg_partitioned_table JOIN pg_class ON pg_class.oid = partrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
      JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
    WHERE partrelid = parent AND partstrat = 'r' AND partnatts = 1 AND atttypid = 'timestamptz'::regtype
      AND nspname IN ('console', 'service') AND pg_get_userbyid(relowner) = current_user;
  IF (spare IS NOT NULL AND width BETWEEN '1 hour' AND '31 days' AND keep BETWEEN '1 hour' AND '10 years' AND isfinite(at)
    AND (pending IS NULL OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = parent AND attname = pending AND attnum > 0))
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'no partitions can be kept by these arguments' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7263003, parent::oid::integer) THEN
    RETURN;
  END IF;
  oldest := date_bin(width, at - keep, origin);
  newest := date_bin(width, at, origin) + width;
  FOR part IN
    SELECT inhrelid::regclass AS name, substring(bound FROM 'FROM \(''([^'']+)')::timestamptz AS start,
        substring(bound FROM 'TO \(''([^'']+)')::timestamptz AS finish
      FROM pg_inherits JOIN pg_class ON oid = inhrelid CROSS JOIN pg_get_expr(relpartbound, oid) AS bound WHERE inhparent = parent
  LOOP
    -- The clock of a sandbox goes back when it is reset: a partition that it left in the future goes once it is empty.
    CONTINUE WHEN NOT coalesce(part.finish <= oldest OR part.start > newest, false);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s)', part.name, CASE
      WHEN part.start > newest THEN 'true' WHEN pending IS NULL THEN 'false' ELSE format('%I IS NULL', pending) END) INTO is_held;
    IF NOT is_held THEN
      EXECUTE format('DROP TABLE %s', part.name);
    END IF;
  END LOOP;
  FOR part IN SELECT start, start + width AS finish FROM generate_series(newest - width, newest, width) AS start LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits JOIN pg_class ON oid = inhrelid CROSS JOIN pg_get_expr(relpartbound, oid) AS bound
        WHERE inhparent = parent AND inhrelid <> spare
          AND substring(bound FROM 'TO \(''([^'']+)')::timestamptz > part.start
          AND coalesce(substring(bound FROM 'FROM \(''([^'']+)')::timestamptz, '-infinity') < part.finish);
    child := format('%I.%I', space, title || to_char(part.start, '_YYYYMMDDHH24'));
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', spare);
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child, parent);
    EXECUTE format('WITH moved AS (DELETE FROM %1$s WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$s SELECT * FROM moved',
      spare, key, part.start, part.finish, child);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, child, part.start, part.finish);
  END LOOP;
EXCEPTION WHEN lock_not_available THEN
  NULL;
END
$$;
REVOKE ALL ON FUNCTION launch.keep_partitions FROM PUBLIC;
-- Whoever may delete a table's rows one by one may have them dropped.
DO $$
DECLARE
  role name;
BEGIN
  FOR role IN
    SELECT DISTINCT pg_get_userbyid(grantee) FROM pg_class, aclexplode(relacl)
      WHERE oid = 'console.inbox_events'::regclass AND privilege_type = 'DELETE' AND grantee NOT IN (0, relowner)
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION launch.keep_partitions TO %I', role);
  END LOOP;
END
$$;
