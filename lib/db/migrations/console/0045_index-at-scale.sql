ALTER TABLE "console"."index_account_progress" ADD COLUMN "contents_id" text;--> statement-breakpoint
ALTER TABLE "console"."index_accounts" ADD COLUMN "disputed_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console"."index_accounts" ADD COLUMN "dispute_may_be_older" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."index_fees" ADD COLUMN "account_text" text;--> statement-breakpoint
ALTER TABLE "console"."index_transaction_progress" ADD COLUMN "whole_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "index_accounts_by_disputed_since" ON "console"."index_accounts" USING btree ("environment","disputed_since","id") WHERE disputed_since is not null;--> statement-breakpoint
CREATE INDEX "index_transactions_mcc_amount" ON "console"."index_transactions" USING btree ("environment","mcc","currency","amount","id");--> statement-breakpoint
CREATE INDEX "index_transactions_disputed_account" ON "console"."index_transactions" USING btree ("environment","card_account_id","dispute_opened_at") WHERE dispute_status in ('requested', 'pending');--> statement-breakpoint
UPDATE "console"."index_accounts" a SET "disputed_since" = t."dispute_opened_at", "dispute_may_be_older" = t."dispute_may_be_older"
FROM (SELECT DISTINCT ON ("environment", "card_account_id") "environment", "card_account_id", "dispute_opened_at", "dispute_may_be_older"
  FROM "console"."index_transactions" WHERE dispute_status in ('requested', 'pending')
  ORDER BY "environment", "card_account_id", "dispute_opened_at") t
WHERE t."environment" = a."environment" AND t."card_account_id" = a."id";--> statement-breakpoint
UPDATE "console"."index_fees" f SET "account_text" = a."search_text" FROM "console"."index_accounts" a
WHERE a."environment" = f."environment" AND a."id" = f."card_account_id";--> statement-breakpoint
DO $$
DECLARE extension_schema name;
BEGIN
  SELECT n.nspname INTO extension_schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "index_fees_account_search" ON "console"."index_fees" USING gin ("account_text" %I.gin_trgm_ops)', extension_schema);
  END IF;
END
$$;
