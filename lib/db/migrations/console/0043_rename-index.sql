-- The tables of the index have one word in their names. Nothing is copied: each rename is an entry of the catalogue.
DO $$
DECLARE
  old_name text;
  new_name text;
  part record;
BEGIN
  FOR old_name, new_name IN VALUES
    ('directory_accounts', 'index_accounts'),
    ('directory_cards', 'index_cards'),
    ('directory_payouts', 'index_payouts'),
    ('directory_state', 'index_account_progress'),
    ('payout_readings', 'index_payout_progress'),
    ('index_fee_readings', 'index_fee_progress'),
    ('index_transaction_readings', 'index_transaction_progress'),
    ('service_health', 'environment_health'),
    ('webhook_looks', 'webhook_polls')
  LOOP
    EXECUTE format('ALTER TABLE "console".%I RENAME TO %I', old_name, new_name);
    FOR part IN SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = format('console.%I', new_name)::regclass AND starts_with(relname, old_name)
    LOOP
      EXECUTE format('ALTER INDEX "console".%I RENAME TO %I', part.name, new_name || substr(part.name, length(old_name) + 1));
    END LOOP;
    FOR part IN SELECT conname AS name FROM pg_constraint
      WHERE conrelid = format('console.%I', new_name)::regclass AND starts_with(conname, old_name)
    LOOP
      EXECUTE format('ALTER TABLE "console".%I RENAME CONSTRAINT %I TO %I', new_name, part.name,
        new_name || substr(part.name, length(old_name) + 1));
    END LOOP;
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER TABLE "console"."index_account_progress" RENAME COLUMN "accounts" TO "records";--> statement-breakpoint
ALTER TABLE "console"."index_payout_progress" RENAME COLUMN "payouts" TO "records";--> statement-breakpoint
ALTER TABLE "console"."index_fee_progress" RENAME COLUMN "fees" TO "records";--> statement-breakpoint
ALTER TABLE "console"."environment_health" RENAME COLUMN "last_answer_at" TO "last_response_at";--> statement-breakpoint
ALTER TABLE "console"."webhook_polls" RENAME COLUMN "looked_at" TO "polled_at";--> statement-breakpoint
ALTER TABLE "console"."scenario_runs" RENAME COLUMN "seen_at" TO "heartbeat_at";--> statement-breakpoint
-- A process of the version before reads and writes through these. A later version drops them.
CREATE VIEW "console"."directory_accounts" AS SELECT * FROM "console"."index_accounts";--> statement-breakpoint
CREATE VIEW "console"."directory_cards" AS SELECT * FROM "console"."index_cards";--> statement-breakpoint
CREATE VIEW "console"."directory_payouts" AS SELECT * FROM "console"."index_payouts";--> statement-breakpoint
CREATE VIEW "console"."index_transaction_readings" AS SELECT * FROM "console"."index_transaction_progress";--> statement-breakpoint
CREATE VIEW "console"."directory_state" AS
  SELECT "environment", "reading", "reading_since", "as_of", "excluded", "stopped_because", "records" AS "accounts"
  FROM "console"."index_account_progress";--> statement-breakpoint
CREATE VIEW "console"."payout_readings" AS
  SELECT "environment", "reading", "reading_since", "as_of", "excluded", "stopped_because", "records" AS "payouts"
  FROM "console"."index_payout_progress";--> statement-breakpoint
CREATE VIEW "console"."index_fee_readings" AS
  SELECT "environment", "reading", "reading_since", "as_of", "excluded", "stopped_because", "resume_at", "resume_since",
    "records" AS "fees"
  FROM "console"."index_fee_progress";--> statement-breakpoint
CREATE VIEW "console"."webhook_looks" AS
  SELECT "environment", "polled_at" AS "looked_at", "service_at", "clock_source", "listed_by" FROM "console"."webhook_polls";--> statement-breakpoint
CREATE VIEW "console"."service_health" AS
  SELECT "environment", "last_response_at" AS "last_answer_at", "unreachable_since", "last_accepted_at", "failing",
    "failing_requests", "failing_since", "slow_since", "last_problem"
  FROM "console"."environment_health";
