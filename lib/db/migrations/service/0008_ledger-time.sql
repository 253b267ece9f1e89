DROP INDEX "service"."account_transactions_newest";--> statement-breakpoint
DROP INDEX "service"."account_transactions_of_account";--> statement-breakpoint
ALTER TABLE "service"."account_transactions" ADD COLUMN "time" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "service"."account_transactions" SET "time" = "created_at";--> statement-breakpoint
ALTER TABLE "service"."account_transactions" ALTER COLUMN "time" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "account_transactions_newest" ON "service"."account_transactions" USING btree ("time","id");--> statement-breakpoint
CREATE INDEX "account_transactions_of_account" ON "service"."account_transactions" USING btree ("account_id","time","id");