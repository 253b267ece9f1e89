DROP INDEX "console"."index_transactions_declined";--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "account_limit" numeric(24, 8);--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "limit_use" numeric GENERATED ALWAYS AS (case when status is distinct from 'cancelled' then
        1 - (record ->> 'availableLimit')::numeric / nullif(coalesce(nullif(least((record ->> 'singleTransactionLimit')::numeric, (record ->> 'dailyLimit')::numeric, (record ->> 'cardLimit')::numeric,
  greatest((record ->> 'cardPresentLimit')::numeric, (record ->> 'cardNotPresentLimit')::numeric),
  greatest((record ->> 'dailyPurchaseLimit')::numeric, (record ->> 'dailyAtmLimit')::numeric), 999999999999999), 999999999999999), account_limit), 0) end) STORED;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "console"."directory_cards" c SET
  "account_limit" = (SELECT a."limit" FROM "console"."directory_accounts" a
    WHERE a."environment" = c."environment" AND a."id" = c."card_account_id" AND a."account_type" = 'credit'),
  "last_used_at" = (SELECT max(t."created_at") FROM "console"."index_transactions" t
    WHERE t."environment" = c."environment" AND t."card_id" = c."id");--> statement-breakpoint
CREATE INDEX "directory_cards_by_limit_use" ON "console"."directory_cards" USING btree ("environment","limit_use","id");--> statement-breakpoint
CREATE INDEX "directory_cards_by_last_used" ON "console"."directory_cards" USING btree ("environment","last_used_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_response" ON "console"."index_transactions" USING btree ("environment","response_code","created_at","id") WHERE response_code <> '00';