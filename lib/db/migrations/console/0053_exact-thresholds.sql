DROP INDEX "console"."funding_thresholds_account";--> statement-breakpoint
CREATE UNIQUE INDEX "funding_thresholds_account" ON "console"."funding_thresholds" USING btree ("environment","account_id");