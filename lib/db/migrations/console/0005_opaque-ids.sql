DROP INDEX "console"."directory_accounts_by_cards";--> statement-breakpoint
DROP INDEX "console"."inbox_events_account";--> statement-breakpoint
DROP INDEX "console"."inbox_events_payout";--> statement-breakpoint
DROP INDEX "console"."directory_payouts_by_source";--> statement-breakpoint
DROP INDEX "console"."directory_payouts_by_destination";--> statement-breakpoint
ALTER TABLE "console"."card_status_changes" ALTER COLUMN "card_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "name" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "currency" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "balance" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "outstanding" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "available" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "dispute_amount" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ALTER COLUMN "created_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ALTER COLUMN "id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ALTER COLUMN "card_account_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ALTER COLUMN "status" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_cards" ALTER COLUMN "last4" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."inbox_events" ALTER COLUMN "card_account_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."inbox_events" ALTER COLUMN "card_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."inbox_events" ALTER COLUMN "payout_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "method" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "status" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "source_currency" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "destination_currency" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "created_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_payouts" ALTER COLUMN "updated_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."payout_states" ALTER COLUMN "payout_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."watched_webhooks" ALTER COLUMN "id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."webhook_notices" ALTER COLUMN "webhook_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."webhook_samples" ALTER COLUMN "webhook_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."webhook_transitions" ALTER COLUMN "webhook_id" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ADD COLUMN "cards_excluded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_state" ADD COLUMN "excluded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_state" ADD COLUMN "stopped_because" text;--> statement-breakpoint
ALTER TABLE "console"."payout_readings" ADD COLUMN "excluded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."payout_readings" ADD COLUMN "stopped_because" text;--> statement-breakpoint
CREATE INDEX "directory_accounts_id" ON "console"."directory_accounts" USING btree ("environment",lower(id));--> statement-breakpoint
CREATE INDEX "directory_cards_id" ON "console"."directory_cards" USING btree ("environment",lower(id));--> statement-breakpoint
CREATE INDEX "directory_payouts_id" ON "console"."directory_payouts" USING btree ("environment",lower(id));--> statement-breakpoint
CREATE INDEX "payout_states_payout" ON "console"."payout_states" USING btree ("environment",lower(payout_id));--> statement-breakpoint
CREATE INDEX "directory_accounts_by_cards" ON "console"."directory_accounts" USING btree ("environment","cards","id");--> statement-breakpoint
CREATE INDEX "inbox_events_account" ON "console"."inbox_events" USING btree ("environment",lower(card_account_id),"position" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "inbox_events_payout" ON "console"."inbox_events" USING btree ("environment",lower(payout_id),"position" DESC NULLS LAST) WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "directory_payouts_by_source" ON "console"."directory_payouts" USING btree ("environment","source_currency","source_amount","id");--> statement-breakpoint
CREATE INDEX "directory_payouts_by_destination" ON "console"."directory_payouts" USING btree ("environment","destination_currency","destination_amount","id");